// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether two previews say the same, part by part.

#include <weft/preview.h>

#include <string>

namespace weft::test {

/// The first part that differs; empty: none.
[[nodiscard]] std::string differenceOf(const Preview& a, const Preview& b);

} // namespace weft::test
