// SPDX-License-Identifier: Apache-2.0
#pragma once
// Products of CUDA's backend as plain loops, at once, on memory that is the host's, with sums in
// double. The right operand is kept in the workspace, as far as it fits, so that a workspace that
// is too small, or another's, shows. Refused are products of 7 terms, so that our own tile is seen
// to take over, and ReLU directly behind an addend, so that what the library does not do with sums
// is seen to be done behind it.

#include <cstdint>
#include <string>

namespace weft::sim {

/// Products that were computed so far.
[[nodiscard]] int productsRun();
/// Plans that were made so far.
[[nodiscard]] int productsMade();
/// Products of how many sets the last one was.
[[nodiscard]] std::int64_t lastSets();

} // namespace weft::sim
