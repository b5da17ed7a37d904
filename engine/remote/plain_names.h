// SPDX-License-Identifier: Apache-2.0
#pragma once
// Names that are one part of a path on any machine and one word of any shell: of hosts, and of runs
// in the folder for runs of a host.

#include <string_view>

namespace weft {

/// 1 to 64 packets, digits, '.', '_' and '-'; it begins with a packet or a digit.
[[nodiscard]] bool isHostName(std::string_view name);
/// 1 to 120 of them; it does not begin with '.'.
[[nodiscard]] bool isRunName(std::string_view name);

} // namespace weft
