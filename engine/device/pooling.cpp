// SPDX-License-Identifier: Apache-2.0
#include "device/pooling.h"

#include "device/window.h"

namespace weft {

std::optional<Pool> poolOf(const KernelRequest& request, const TensorPart& map,
                           const TensorPart& windowed) {
    const auto windows =
        windowsOf(request.attributes, request.attributes.integers("kernel"), map, windowed);
    if (!windows) {
        return std::nullopt;
    }
    Pool pool;
    pool.batch = map.shape[0];
    pool.channels = map.shape[1];
    pool.mapRows = map.shape[2];
    pool.mapColumns = map.shape[3];
    pool.windowRows = windowed.shape[2];
    pool.windowColumns = windowed.shape[3];
    pool.kernelRows = windows->kernel[0];
    pool.kernelColumns = windows->kernel[1];
    pool.strideRows = windows->stride[0];
    pool.strideColumns = windows->stride[1];
    pool.padTop = windows->padBefore[0];
    pool.padLeft = windows->padBefore[1];
    return pool;
}

Format mapFormat(const KernelRequest& request) {
    for (const TensorPart& part : request.inputs) {
        if (part.shape.size() == 4 && part.format == channelsLast()) {
            return channelsLast();
        }
    }
    return {};
}

} // namespace weft
