// SPDX-License-Identifier: Apache-2.0
#pragma once
// Detects an engine that was copied to a host together with all its libraries. It lies in one
// folder and is started by the loader in that folder, so the system sees the loader as the program.
// A script in the folder starts it.

#include <string_view>

namespace weft {

// File names in that folder.
inline constexpr std::string_view carriedProgram = "weft";
inline constexpr std::string_view carriedLoader = "weft-loader";
inline constexpr std::string_view startScript = "start";

[[nodiscard]] bool isCarried(); ///< true if this process runs such an engine

} // namespace weft
