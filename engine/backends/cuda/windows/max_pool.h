// SPDX-License-Identifier: Apache-2.0
#pragma once
// Max pooling of plain or channels-last maps. The position of a maximum is its row-major index in
// the window: u8, or i32 for windows with more than 256 elements. Gradients are gathered: each map
// element reads the windows over it, in order.

#include "backends/cuda/kernels/stream_handle.h"
#include "backends/cuda/windows/pooling.h"

namespace weft::cuda {

/// y = the maximum of each window and its position; NaN counts as largest, and the first of equal
/// numbers is taken.
template <class Kept, class Position>
void launchMaxPool(const PoolMaps& of, const Kept* x, Kept* y, Position* position,
                   StreamHandle stream);
/// dx = the sum of dy over the windows whose maximum is this element. If the result of a ReLU is
/// given, dx is 0 where that result is not positive.
template <class Kept, class Position>
void launchMaxPoolGradient(const PoolMaps& of, const Position* position, const Kept* dy,
                           const Kept* relu, Kept* dx, StreamHandle stream);

} // namespace weft::cuda
