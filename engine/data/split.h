// SPDX-License-Identifier: Apache-2.0
#pragma once
// A share of the examples held out of a source: drawn once and for all, so that it is the same in
// every run, whatever the seed.

#include "data/source.h"

namespace weft {

struct HeldOut {
    SourcePointer training;
    SourcePointer validation;
};

/// How many that is, at least one on either side; Error{design} for fewer than two.
[[nodiscard]] std::int64_t heldOutOf(std::int64_t size, double share);

/// `share` in (0, 1) of the examples. Both parts keep the order of the
/// file.
[[nodiscard]] HeldOut holdOut(const SourcePointer& source, double share);

} // namespace weft
