// SPDX-License-Identifier: Apache-2.0
#pragma once
// Caches a view that is slow to paint: during a zoom the last picture is shown scaled, and a sharp
// one follows when the zoom ends. A view that is fast to paint is painted sharp in every frame.

#include "canvas/paint/canvas_painter.h"

#include <QElapsedTimer>
#include <QPixmap>
#include <QRegion>
#include <functional>

namespace weft::ui {

class CachedPicture {
public:
    /// Paints part of a view, in device pixels.
    using Paint = std::function<void(QPainter& painter, const QRect& exposed)>;

    /// `size`: size of the whole view in device pixels. `inMotion`: the zoom is changing.
    void paint(QPainter& painter, const QRect& exposed, QSize size, const Viewport& viewport,
               bool inMotion, const QColor& ground, const Paint& paint);

    /// Returns true if the region is large enough to repaint the whole view.
    [[nodiscard]] static bool isWorthWholeRepaint(const QRegion& region, QSize size);

private:
    [[nodiscard]] bool fits(const Viewport& viewport) const; ///< can be scaled to it

    QPixmap picture_;         ///< the whole view, sharp at `shown_`
    Viewport shown_;          ///< viewport of the cached picture
    double milliseconds_ = 0; ///< duration of the last whole painting
};

} // namespace weft::ui
