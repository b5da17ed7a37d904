// SPDX-License-Identifier: Apache-2.0
#pragma once
// A layer with what feeds it and what it feeds, as the canvas draws them, in a column of their own:
// small enough to stand twice beside one another. Pure.

#include "canvas/display_list.h"
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
    double height = 0; ///< as many neighbours as find room in it; the layer is there in any case
};

/// Empty where the design has no such layer.
[[nodiscard]] DisplayList neighbourhoodOf(const NeighbourhoodRequest& request);

} // namespace weft::ui
