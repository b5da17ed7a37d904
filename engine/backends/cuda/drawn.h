// SPDX-License-Identifier: Apache-2.0
#pragma once
// How makers of ops that draw find the numbers of a request.

#include "backends/cuda/draws.h"
#include "device/kernel.h"

namespace weft::cuda {

/// As of Draw{.seed = seed} in base/philox.h.
[[nodiscard]] DrawKey drawKeyOf(std::uint64_t seed);
/// Describes a part that lies in that order.
[[nodiscard]] PartOfWhole partOfWhole(const TensorPart& part, const Format& format = {});

} // namespace weft::cuda
