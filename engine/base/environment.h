// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the environment of this process says. Nobody sets it once threads run.

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft {

/// Empty where there is no such variable.
[[nodiscard]] std::string fromEnvironment(const char* name);

/// As this machine calls itself; "unknown" where it doesn't.
[[nodiscard]] std::string hostName();

/// The program as the shell would find it; empty where it would not.
[[nodiscard]] std::filesystem::path programInPath(std::string_view name);

/// All that this process has, "NAME=value" each, with these in place of its own.
[[nodiscard]] std::vector<std::string>
environmentWith(const std::vector<std::pair<std::string, std::string>>& added);

} // namespace weft
