// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads the maps of a pooling from a request.

#include "backends/cuda/request.h"
#include "backends/cuda/windows/pooling.h"
#include "device/pooling.h"

#include <algorithm>

namespace weft::cuda {

[[nodiscard]] inline Format halvedMaps() { return halved(channelsLast(), 4); }

/// Returns bf16 channels-last if all floating operands are offered so, else mapFormat. (Positions
/// have the layout of the numbers.)
[[nodiscard]] inline Format formatOfMaps(const KernelRequest& request) {
    const bool areBf16 = std::ranges::all_of(request.inputs, [](const TensorPart& part) {
        return !isFloating(part.dtype) || part.format == halvedMaps();
    });
    return areBf16 ? halvedMaps() : mapFormat(request);
}

/// Returns nothing if the local part of the map has rows before its first window.
[[nodiscard]] inline std::optional<PoolMaps> mapsOf(const KernelRequest& request,
                                                    const TensorPart& map,
                                                    const TensorPart& windowed,
                                                    const Format& format) {
    const auto pool = poolOf(request, map, windowed);
    if (!pool) {
        return std::nullopt;
    }
    if (widened(format) == channelsLast()) {
        return PoolMaps{*pool, pool->batch, pool->channels};
    }
    return PoolMaps{*pool, pool->batch * pool->channels, 1};
}

} // namespace weft::cuda
