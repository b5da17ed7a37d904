// SPDX-License-Identifier: Apache-2.0
#pragma once
// Holds out a share of a source's examples. The choice is independent of the run's seed, so it is
// the same in every run.

#include "data/source.h"

namespace weft {

struct HeldOut {
    SourcePointer training;
    SourcePointer validation;
};

/// Returns the number held out, at least one on either side; throws Error{design} for fewer than
/// two.
[[nodiscard]] std::int64_t heldOutOf(std::int64_t size, double share);

/// Holds out `share`, in (0, 1), of the examples. Both parts keep the order of the file.
[[nodiscard]] HeldOut holdOut(const SourcePointer& source, double share);

} // namespace weft
