// SPDX-License-Identifier: Apache-2.0
#pragma once
// Valid names of hosts, and of runs in a host's runs folder: each is one path component on any
// machine and one word for any shell.

#include <string_view>

namespace weft {

/// True for 1 to 64 letters, digits, '.', '_' and '-', beginning with a letter or a digit.
[[nodiscard]] bool isHostName(std::string_view name);
/// True for 1 to 120 of these characters, not beginning with '.'.
[[nodiscard]] bool isRunName(std::string_view name);

} // namespace weft
