// SPDX-License-Identifier: Apache-2.0
#pragma once
// Mean poolings of maps, plain or channels-last, whose numbers are kept as they are or as halves.
// Gradients are gathered: each place of the map asks the windows over it.

#include "backends/cuda/stream_handle.h"
#include "device/pool.h"

#include <algorithm>
#include <cstdint>

namespace weft::cuda {

/// How the maps lie: `depth` numbers side by side at every place.
struct MapsOf {
    Pool pool = {};
    std::int64_t maps = 0, depth = 1;
};

/// Numbers of one side that a window of the whole map counts.
struct WindowCount {
    std::int64_t begin = 0; ///< of the windows that are here
    std::int64_t kernel = 1, stride = 1, before = 0, after = 0, whole = 0;
    bool countsPadding = false;

    [[nodiscard]] constexpr std::int64_t of(std::int64_t window) const {
        const std::int64_t first = (begin + window) * stride - before;
        const std::int64_t end = first + kernel;
        return countsPadding ? std::min(end, whole + after) - first
                             : std::min(end, whole) - std::max<std::int64_t>(first, 0);
    }
};

/// y = the sum of each window / (rows that count * columns that count)
template <class Kept>
void launchAveragePool(const MapsOf& of, const WindowCount& rows, const WindowCount& columns,
                       const Kept* x, Kept* y, StreamHandle stream);
template <class Kept>
void launchAveragePoolGradient(const MapsOf& of, const WindowCount& rows,
                               const WindowCount& columns, const Kept* dy, Kept* dx,
                               StreamHandle stream);
/// dx = dy of its map / count, of maps of so many places with `depth` numbers side by side
template <class Kept>
void launchGlobalAverageGradient(std::int64_t places, std::int64_t depth, float count,
                                 const float* dy, Kept* dx, std::int64_t n, StreamHandle stream);

} // namespace weft::cuda
