// SPDX-License-Identifier: Apache-2.0
#pragma once
// Common part of all fuzzers: passes the bytes to the reader of that name. A reader should refuse
// with an Error; any other outcome ends the process, and the fuzzer keeps the bytes.

#include <cstddef>
#include <cstdint>

namespace weft::test {

int fuzzOne(const char* reader, const std::uint8_t* data, std::size_t size);

} // namespace weft::test
