// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Makes the display list of one network of a design, with what the last check knew about it. Pure;
// any thread.

#include "canvas/display_list.h"
#include "canvas/wire_shape.h"
#include <weft/catalogue.h>
#include <weft/edits.h>
#include <weft/preview.h>

#include <set>

namespace weft::ui {

struct DisplayRequest {
    const Design* design = nullptr;
    NetworkPath path = {};
    const std::vector<LayerKindInfo>* kinds = nullptr;
    const Preview* preview = nullptr; ///< nullptr before the first check
    std::set<LayerId> collapsed = {};
    Flow flow = Flow::down;
};

[[nodiscard]] DisplayList buildDisplayList(const DisplayRequest& request);

} // namespace weft::ui
