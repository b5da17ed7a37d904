// SPDX-License-Identifier: Apache-2.0
#pragma once
// Plans of CUDA's backend as plain loops in double, at once, on memory that is the host's. They
// keep their second operand in the workspace, so that one that is too small, or another's, shows.

namespace weft::sim {

/// Plans that were run so far.
[[nodiscard]] int plansRun();
/// And made.
[[nodiscard]] int plansMade();

} // namespace weft::sim
