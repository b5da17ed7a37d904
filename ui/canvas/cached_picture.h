// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is dear to paint is kept as a picture: while the wheel turns, the last one is shown scaled,
// and the crisp one follows when it rests. What is cheap is painted crisp in every frame.

#include "canvas/canvas_painter.h"

#include <QElapsedTimer>
#include <QPixmap>
#include <QRegion>
#include <functional>

namespace weft::ui {

class CachedPicture {
public:
    /// Paints part of a view, in device pixels.
    using Paint = std::function<void(QPainter& painter, const QRect& exposed)>;

    /// `size`: of the whole view in device pixels; `inMotion`: the zoom is changing.
    void paint(QPainter& painter, const QRect& exposed, QSize size, const Viewport& viewport,
               bool inMotion, const QColor& ground, const Paint& paint);

    /// Whether so much of a view is to be painted that it is painted whole.
    [[nodiscard]] static bool isWorth(const QRegion& region, QSize size);

private:
    [[nodiscard]] bool fits(const Viewport& viewport) const;

    QPixmap picture_;
    Viewport shown_;          ///< by the picture
    double milliseconds_ = 0; ///< that the last whole picture took
};

} // namespace weft::ui
