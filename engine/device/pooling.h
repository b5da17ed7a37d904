// SPDX-License-Identifier: Apache-2.0
#pragma once
// The pooling that a request asks for.

#include "device/pool.h"
#include "device/settled_formats.h"

#include <optional>

namespace weft {

/// `map` is what windows look into, `windowed` has one element per window; both [b, c, h, w]. None
/// when the part of the map holds less or more than they need before the first.
[[nodiscard]] std::optional<Pool> poolOf(const KernelRequest& request, const TensorPart& map,
                                         const TensorPart& windowed);

/// Channels-last where an operand is offered so, else plain; as offered where that is fixed.
[[nodiscard]] Format mapFormat(const KernelRequest& request);

} // namespace weft
