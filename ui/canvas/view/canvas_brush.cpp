// SPDX-License-Identifier: Apache-2.0
#include "canvas/view/canvas_brush.h"

namespace weft::ui {

void CanvasBrush::hold(const std::optional<Brush>& brush) {
    held_ = brush;
    emit changed();
}

} // namespace weft::ui
