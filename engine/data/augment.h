// SPDX-License-Identifier: Apache-2.0
#pragma once
// A source whose training pictures are shifted and flipped at random, before they are normalised.

#include "data/source_kind.h"

#include <cstddef>
#include <vector>

namespace weft {

/// Augments these fields of the training set by the request's attributes jitter, flip and seed; all
/// fields of an example alike. Fields that are no f32 pictures [channels, height, width] are left
/// alone, and the attributes are refused if there is no other.
[[nodiscard]] Data augmented(Data data, const std::vector<std::size_t>& fields,
                             const OpenRequest& request);

} // namespace weft
