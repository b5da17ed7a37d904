// SPDX-License-Identifier: Apache-2.0
#pragma once
// An engine that was carried to a host whose own libraries need not suit it lies in one folder with
// all that it needs, and is started by the loader among them: to the system that one is the
// program. A script beside them starts it so.

#include <string_view>

namespace weft {

// Names in that folder.
inline constexpr std::string_view carriedProgram = "weft";
inline constexpr std::string_view carriedLoader = "weft-loader";
inline constexpr std::string_view startScript = "start";

/// This process runs such an engine.
[[nodiscard]] bool isCarried();

} // namespace weft
