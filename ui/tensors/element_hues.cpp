// SPDX-License-Identifier: Apache-2.0
#include "tensors/element_hues.h"

#include "document/device_slot.h"
#include "widgets/value_drawing.h"

#include <algorithm>

namespace weft::ui {

std::vector<int> elementHues(const Preview& preview, const Design& design, const std::string& layer,
                             std::int64_t elements) {
    std::vector<int> hues(static_cast<std::size_t>(std::max<std::int64_t>(elements, 0)), -1);
    const auto found = std::ranges::find_if(preview.layers, [&](const LayerPreview& one) {
        return one.name == layer || one.name.ends_with("/" + layer) ||
               one.name.ends_with("." + layer);
    });
    if (found == preview.layers.end() || found->outputs.empty()) {
        return hues;
    }
    std::vector<int> devices;
    for (const std::string& device : found->devices) {
        devices.push_back(paletteIndexOf(design, device));
    }
    const PortPreview& port = found->outputs.front();
    const ValueDrawing drawing = drawingOf(port.placement, port.shape, found->mesh, devices);
    if (drawing.kind == ValueDrawing::Kind::single) {
        std::ranges::fill(hues, devices.front());
    } else if (drawing.kind == ValueDrawing::Kind::split && !drawing.cutsColumns() &&
               drawing.join == ValueDrawing::Join::bands) {
        for (std::size_t element = 0; element < hues.size(); ++element) {
            const double at =
                (static_cast<double>(element) + 0.5) / static_cast<double>(hues.size());
            const auto part = std::ranges::find_if(
                drawing.rows, [at](const Part& one) { return one.begin <= at && at < one.end; });
            const auto row = static_cast<std::size_t>(part - drawing.rows.begin());
            if (part != drawing.rows.end() && row < drawing.hues.size()) {
                hues[element] = drawing.hues[row];
            }
        }
    }
    return hues;
}

} // namespace weft::ui
