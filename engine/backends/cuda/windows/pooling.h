// SPDX-License-Identifier: Apache-2.0
#pragma once
// Average pooling of maps in f32 or bf16, plain or channels-last. Gradients are gathered: each map
// element reads the windows over it.

#include "backends/cuda/kernels/stream_handle.h"
#include "device/pool.h"

#include <algorithm>
#include <cstdint>

namespace weft::cuda {

/// Layout of the maps: `depth` contiguous numbers at every position.
struct PoolMaps {
    Pool pool = {};
    std::int64_t maps = 0, depth = 1; ///< separate maps; numbers per position
};

/// Number of elements along one side that a window of the whole map counts.
struct WindowCount {
    std::int64_t begin = 0; ///< index of the first local window
    std::int64_t kernel = 1, stride = 1, before = 0, after = 0,
                 whole = 0; ///< sizes in the whole map
    bool countsPadding = false;

    [[nodiscard]] constexpr std::int64_t countOf(std::int64_t window) const {
        const std::int64_t first = (begin + window) * stride - before;
        const std::int64_t end = first + kernel;
        return countsPadding ? std::min(end, whole + after) - first
                             : std::min(end, whole) - std::max<std::int64_t>(first, 0);
    }
};

/// y = the sum of each window / (counted rows * counted columns)
template <class Kept>
void launchAveragePool(const PoolMaps& of, const WindowCount& rows, const WindowCount& columns,
                       const Kept* x, Kept* y, StreamHandle stream);
template <class Kept>
void launchAveragePoolGradient(const PoolMaps& of, const WindowCount& rows,
                               const WindowCount& columns, const Kept* dy, Kept* dx,
                               StreamHandle stream);
/// dx = dy of its map / count, for maps of `places` positions with `depth` contiguous numbers
template <class Kept>
void launchGlobalAverageGradient(std::int64_t places, std::int64_t depth, float count,
                                 const float* dy, Kept* dx, std::int64_t n, StreamHandle stream);

} // namespace weft::cuda
