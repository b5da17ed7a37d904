// SPDX-License-Identifier: Apache-2.0
#pragma once
// Derives the geometry and format of a pooling from a kernel request.

#include "device/pool.h"
#include "device/settled_formats.h"

#include <optional>

namespace weft {

/// `map` is the windows' input and `windowed` has one element per window; both are [b, c, h, w].
/// Returns nothing if the local part of the map has rows or columns before its first window.
[[nodiscard]] std::optional<Pool> poolOf(const KernelRequest& request, const TensorPart& map,
                                         const TensorPart& windowed);

/// Channels-last if an operand is offered so, else plain; the offered format if it is fixed.
[[nodiscard]] Format mapFormat(const KernelRequest& request); ///< plain or channels-last

} // namespace weft
