// SPDX-License-Identifier: Apache-2.0
#pragma once
// What every fuzzer does with its bytes: lets the reader of that name attempt them. An Error is how
// a reader should refuse; anything else ends the process, and the fuzzer keeps the bytes.

#include <cstddef>
#include <cstdint>

namespace weft::test {

int fuzzOne(const char* reader, const std::uint8_t* data, std::size_t size);

} // namespace weft::test
