// SPDX-License-Identifier: Apache-2.0
#pragma once
// Max pooling of maps, plain or channels-last. The position of a maximum is the number of its place
// in the window, row by row: u8, or i32 where windows have more than 256 places. Gradients are
// gathered: each place of the map asks the windows over it, in their order.

#include "backends/cuda/pooling.h"
#include "backends/cuda/stream_handle.h"

namespace weft::cuda {

/// y = the largest of each window and its position; a NaN wins, of equal ones the first.
template <class Kept, class Position>
void launchMaxPool(const MapsOf& of, const Kept* x, Kept* y, Position* position,
                   StreamHandle stream);
/// dx = the sum of dy over the windows whose maximum is here. Where the result of a ReLU is given,
/// dx is 0 where that is not positive.
template <class Kept, class Position>
void launchMaxPoolGradient(const MapsOf& of, const Position* position, const Kept* dy,
                           const Kept* relu, Kept* dx, StreamHandle stream);

} // namespace weft::cuda
