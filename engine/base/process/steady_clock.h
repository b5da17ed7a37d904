// SPDX-License-Identifier: Apache-2.0
#pragma once
// Identifies the steady clock of a process, which depends on its boot and time namespace.

#include <string>

namespace weft {

/// Processes with equal names share a clock. Empty if the name is unknown, which equals no other.
[[nodiscard]] std::string steadyClockName();

} // namespace weft
