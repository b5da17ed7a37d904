// SPDX-License-Identifier: Apache-2.0
#pragma once
// Plans of CUDA's backend as plain loops, at once, on memory that is the host's. They keep their
// second operand in the workspace, so that one that is too small, or another's, shows. There are
// two engines: "loops", which is taken to be the faster, sums in double, and "floats" in float, so
// that other bits tell which one ran. What a call of them takes by the chip's clock can be
// prescribed (chip_time.h).

#include <string>

namespace weft::sim {

/// Plans that were run so far.
[[nodiscard]] int plansRun();
/// And made.
[[nodiscard]] int plansMade();

/// Returns the engine of the plan that was run last.
[[nodiscard]] std::string lastEngine();

} // namespace weft::sim
