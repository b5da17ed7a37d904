// SPDX-License-Identifier: Apache-2.0
#pragma once
// Compares two previews part by part.

#include <weft/preview.h>

#include <string>

namespace weft::test {

/// The first part that differs; empty: none.
[[nodiscard]] std::string differenceOf(const Preview& a, const Preview& b);

} // namespace weft::test
