// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which Weft this is; the source is written by CMake from version.cpp.in.

#include <string_view>

namespace weft {

/// "0.2.0"
[[nodiscard]] std::string_view weftVersion();

} // namespace weft
