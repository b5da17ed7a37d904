// SPDX-License-Identifier: Apache-2.0
#pragma once
// A layer with its neighbours up and down the network as the canvas draws them, in a column small
// enough to be shown twice side by side. Pure.

#include "canvas/scene/display_list.h"
#include <weft/catalogue.h>
#include <weft/edits.h>
#include <weft/preview.h>

namespace weft::ui {

struct NeighbourhoodRequest {
    const Design* design = nullptr;
    const Preview* preview = nullptr;
    const std::vector<LayerKindInfo>* kinds = nullptr;
    NetworkPath path = {};
    LayerId layer = {};
    double height = 0; ///< limits the number of neighbours; the layer itself is always shown
};

/// Returns an empty list if the design has no such layer.
[[nodiscard]] DisplayList neighbourhoodOf(const NeighbourhoodRequest& request);

} // namespace weft::ui
