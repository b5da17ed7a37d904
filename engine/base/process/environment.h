// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads this process's environment, which nobody changes once threads run.

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft {

/// Returns an empty string if the variable is not set.
[[nodiscard]] std::string fromEnvironment(const char* name);

[[nodiscard]] std::string hostName(); ///< returns this machine's host name, or "unknown"

/// Returns the program as a shell would find it, or an empty path.
[[nodiscard]] std::filesystem::path programInPath(std::string_view name); ///< empty: not found

/// Returns this process's environment as "NAME=value" with the given variables replaced or added.
[[nodiscard]] std::vector<std::string>
environmentWith(const std::vector<std::pair<std::string, std::string>>& added);

} // namespace weft
