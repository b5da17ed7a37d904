// SPDX-License-Identifier: Apache-2.0
#pragma once
// Arguments of one call of CanvasPainter::paint, shared by the files that implement it.

#include "canvas/paint/canvas_painter.h"

namespace weft::ui {

struct CanvasPainter::Frame {
    QPainter& painter;
    const DisplayList& list;
    const Viewport& viewport;
    const CanvasState& state;
    const Theme& theme;
    QRect exposed; ///< area to paint, in device pixels

    [[nodiscard]] int px(double units) const { return viewport.px(units); } ///< to device pixels
    [[nodiscard]] int fixed(double logical) const { return viewport.fixed(logical); }
    [[nodiscard]] bool isFar() const { return viewport.isFar(); } ///< too small for text
    [[nodiscard]] bool isMiddle() const { return !viewport.isFar() && !viewport.isNear(); }
};

} // namespace weft::ui
