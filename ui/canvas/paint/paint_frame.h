// SPDX-License-Identifier: Apache-2.0
#pragma once
// Arguments of one call of CanvasPainter::paint, shared by the files that implement it.

#include "canvas/paint/canvas_painter.h"

namespace weft::ui {

struct CanvasPainter::Frame {
    QPainter& painter;
    const DisplayList& list;
    const Viewport& at;
    const CanvasState& state;
    const Theme& theme;
    QRect exposed;

    [[nodiscard]] int px(double units) const { return at.px(units); }
    [[nodiscard]] int fixed(double logical) const { return at.fixed(logical); }
    [[nodiscard]] bool isFar() const { return at.isFar(); }
    [[nodiscard]] bool isMiddle() const { return !at.isFar() && !at.isNear(); }
};

} // namespace weft::ui
