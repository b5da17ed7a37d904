// SPDX-License-Identifier: Apache-2.0
#pragma once
// The version of Weft; CMake writes the source from version.cpp.in.

#include <string_view>

namespace weft {

[[nodiscard]] std::string_view weftVersion(); ///< "0.2.0"

} // namespace weft
