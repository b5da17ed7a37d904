// SPDX-License-Identifier: Apache-2.0
#pragma once
// A source whose pictures are y = (x * scale - mean) / std, mean and std being one number or one
// per channel.

#include "data/source_kind.h"

#include <span>
#include <vector>

namespace weft {

/// The attributes scale, mean and std of a kind that hands out pictures.
[[nodiscard]] std::vector<AttributeSpec> normalisingAttributes(double scale);

/// All sets of `data` normalised in these fields of f32 as the request's attributes say.
[[nodiscard]] Data normalised(Data data, const std::vector<std::size_t>& fields,
                              const OpenRequest& request);

} // namespace weft
