// SPDX-License-Identifier: Apache-2.0
#pragma once
// Holds out a share of a source's examples. The choice is independent of the run's seed, so it is
// the same in every run.

#include "data/source.h"
#include <weft/attributes.h>

#include <cstdint>
#include <span>

namespace weft {

struct TrainingSplit {
    SourcePointer training;
    SourcePointer validation;
};

/// Returns the number held out, at least one on either side; throws Error{design} for fewer than
/// two.
[[nodiscard]] std::int64_t heldOutCount(std::int64_t size, double share);

/// Holds out `share`, in (0, 1), of the examples. Both parts keep the order of the file. `strata`:
/// the class of each example; the held out part then has the same share of each. Only the training
/// part augments its examples.
[[nodiscard]] TrainingSplit holdOut(const SourcePointer& source, double share,
                                    std::int64_t seed = 0,
                                    std::span<const std::int32_t> strata = {});

/// The attribute `split_seed` of sources whose split it changes.
[[nodiscard]] AttributeSpec splitSeedAttribute();

} // namespace weft
