// SPDX-License-Identifier: Apache-2.0
#pragma once
// The layers on a canvas that a person means: words are looked for in names, kinds, shapes and
// problems, and what an attribute must be is said as in "conv2d filters>64" or "padding=same".
// Pure.

#include "canvas/display_list.h"
#include "theme/theme.h"
#include "widgets/search_popup.h"
#include <weft/catalogue.h>

namespace weft::ui {

/// Best first; of an empty query all.
[[nodiscard]] std::vector<SearchRow> findLayers(const QString& query, const DisplayList& list,
                                                const Network& network,
                                                const std::vector<LayerKindInfo>& kinds,
                                                const Theme& theme);

} // namespace weft::ui
