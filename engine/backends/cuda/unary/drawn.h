// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads the parameters of random ops from a request.

#include "backends/cuda/kernels/draws.h"
#include "device/kernel.h"

namespace weft::cuda {

/// Corresponds to Draw{.seed = seed} in base/philox.h.
[[nodiscard]] DrawKey drawKeyOf(std::uint64_t seed);
/// Describes a part in that format.
[[nodiscard]] PartOfWhole partOfWhole(const TensorPart& part, const Format& format = {});

} // namespace weft::cuda
