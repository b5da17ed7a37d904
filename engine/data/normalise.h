// SPDX-License-Identifier: Apache-2.0
#pragma once
// A source with normalised pictures y = (x * scale - mean) / std, where mean and std are one number
// or one per channel.

#include "data/source_kind.h"

#include <span>
#include <vector>

namespace weft {

/// Returns the attributes scale, mean and std of a source of pictures.
[[nodiscard]] std::vector<AttributeSpec> normalisingAttributes(double scale);

/// Normalises these f32 fields in all sets of `data` by the request's attributes.
[[nodiscard]] Data normalised(Data data, const std::vector<std::size_t>& fields,
                              const OpenRequest& request);

} // namespace weft
