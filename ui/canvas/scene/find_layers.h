// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finds layers by a query: words match names, kinds, shapes and problems; conditions on attributes
// are written as in "conv2d filters>64" or "padding=same". Pure.

#include "canvas/scene/display_list.h"
#include "theme/theme.h"
#include "widgets/search_popup.h"
#include <weft/catalogue.h>

namespace weft::ui {

/// Returns matches, best first; an empty query matches all layers.
[[nodiscard]] std::vector<SearchRow> findLayers(const QString& query, const DisplayList& list,
                                                const Network& network,
                                                const std::vector<LayerKindInfo>& kinds,
                                                const Theme& theme);

} // namespace weft::ui
