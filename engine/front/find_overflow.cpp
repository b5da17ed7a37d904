// SPDX-License-Identifier: Apache-2.0
#include "front/find_overflow.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft {

namespace {

const LayerPreview* layerNamed(const Preview& preview, const std::string& name) {
    const auto found = std::ranges::find(preview.layers, name, &LayerPreview::name);
    return found == preview.layers.end() ? nullptr : &*found;
}

bool canSplitWeights(const LayerPreview& layer) {
    const auto found = std::ranges::find(layer.legal, AxisWord::modelStack, &LegalWord::word);
    return layer.devices.size() > 1 && found != layer.legal.end() &&
           refusalOf(*found, layer.mesh.front()).empty();
}

/// Weights that lie whole on every device are split; activations grow with the batch.
Fix mending(const DevicePreview& device, const LayerPreview* largest, const Design& design) {
    if (largest != nullptr && largest->parameterBytes > largest->activationBytes &&
        canSplitWeights(*largest)) {
        const std::string word{nameOf(AxisWord::modelStack)};
        return {fmt::format("split its weights: {}", word), {{"assign", {largest->name, word}}}};
    }
    if (device.activations > device.parameters && design.data.batch > 1) {
        const std::int64_t batch = design.data.batch / 2;
        return {fmt::format("halve the batch to {}", batch),
                {{"data", {"batch", std::to_string(batch)}}}};
    }
    return {"spread it over more devices", {}};
}

} // namespace

void findOverflow(Preview& preview, const Design& design) {
    for (const DevicePreview& device : preview.devices) {
        const Bytes planned = device.parameters + device.activations;
        if (device.available.count <= 0 || planned <= device.available) {
            continue;
        }
        const LayerPreview* largest = layerNamed(preview, device.largestLayer);
        preview.problems.push_back(
            {.code = "W070",
             .severity = Severity::warning,
             .layer = largest == nullptr ? LayerId{} : largest->origin.layer,
             .layerName = device.largestLayer,
             .attribute = "assignment",
             .text =
                 fmt::format("{} would overflow: {} planned, {} there; most is {}'s", device.name,
                             toString(planned), toString(device.available), device.largestLayer),
             .fix = mending(device, largest, design)});
    }
}

} // namespace weft
