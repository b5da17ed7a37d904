// SPDX-License-Identifier: Apache-2.0
#pragma once
// Formats a layer kind as a row of search results.

#include "catalogue/kind_search.h"
#include "widgets/search_popup.h"

namespace weft::ui {

[[nodiscard]] inline SearchRow rowOf(const KindHit& hit, const Theme& theme) {
    return {.id = (hit.isGroup ? QStringLiteral("group:") : QString()) + hit.kind,
            .text = hit.kind,
            .where = hit.synonym == hit.title ? QString() : hit.synonym,
            .icon = hit.icon,
            .tint = theme.ofCategory(hit.category),
            .matched = hit.matched};
}

} // namespace weft::ui
