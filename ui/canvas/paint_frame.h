// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What one call of CanvasPainter::paint works with: shared by the files that paint its parts.

#include "canvas/canvas_painter.h"

#include <cmath>

namespace weft::ui {

struct CanvasPainter::Frame {
    QPainter& painter;
    const DisplayList& list;
    const Viewport& at;
    const CanvasState& state;
    const Theme& theme;
    QRect exposed;

    /// Units to whole device pixels, never nothing.
    [[nodiscard]] int px(double units) const {
        return std::max(1, static_cast<int>(std::lround(units * at.scale())));
    }
    /// Logical pixels that stay so at every zoom.
    [[nodiscard]] int fixed(double logical) const {
        return std::max(1, static_cast<int>(std::lround(logical * at.ratio)));
    }
    [[nodiscard]] bool isFar() const { return at.zoom < tokens().sizes.zoom.blocks; }
    [[nodiscard]] bool isMiddle() const { return !isFar() && at.zoom < tokens().sizes.zoom.text; }
};

} // namespace weft::ui
