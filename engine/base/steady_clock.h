// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which steady clock a process reads: that of its boot, moved by its time namespace.

#include <string>

namespace weft {

/// Processes that say the same read one clock. Empty where the system does not tell, which is then
/// like no other.
[[nodiscard]] std::string steadyClockName();

} // namespace weft
