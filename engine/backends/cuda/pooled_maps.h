// SPDX-License-Identifier: Apache-2.0
#pragma once
// How makers of poolings find the maps of a request.

#include "backends/cuda/pooling.h"
#include "backends/cuda/request.h"
#include "device/pooling.h"

namespace weft::cuda {

/// None where the part of the map begins behind what its windows need.
[[nodiscard]] inline std::optional<MapsOf> mapsOf(const KernelRequest& request,
                                                  const TensorPart& map, const TensorPart& windowed,
                                                  const Format& format) {
    const auto pool = poolOf(request, map, windowed);
    if (!pool) {
        return std::nullopt;
    }
    if (format == channelsLast()) {
        return MapsOf{*pool, pool->batch, pool->channels};
    }
    return MapsOf{*pool, pool->batch * pool->channels, 1};
}

} // namespace weft::cuda
