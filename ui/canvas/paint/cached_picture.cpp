// SPDX-License-Identifier: Apache-2.0
#include "canvas/paint/cached_picture.h"

#include <QPainter>

namespace weft::ui {

namespace {

/// Milliseconds that a frame may take; a slower one is scaled while zooming. Grows with the number
/// of pixels.
double budget(QSize size) {
    constexpr double perFrame = 12;
    constexpr double most = 24;
    constexpr double ordinary = 1600.0 * 1000.0;
    return std::min(most, perFrame * std::max(1.0, size.width() * size.height() / ordinary));
}

} // namespace

bool CachedPicture::isWorthWholeRepaint(const QRegion& region, QSize size) {
    constexpr double most = 0.8;
    double area = 0;
    for (const QRect& part : region) {
        area += static_cast<double>(part.width()) * part.height();
    }
    return area > most * size.width() * size.height();
}

bool CachedPicture::fits(const Viewport& viewport) const {
    // Beyond this scale the cached picture would be too small or too blurred.
    constexpr double farthest = 2.7;
    const double ratio = viewport.scale() / shown_.scale();
    return !picture_.isNull() && ratio < farthest && ratio > 1 / farthest;
}

void CachedPicture::paint(QPainter& painter, const QRect& exposed, QSize size,
                          const Viewport& viewport, bool inMotion, const QColor& ground,
                          const Paint& paint) {
    const QRect whole(QPoint(), size);
    if (!exposed.contains(whole)) {
        paint(painter, exposed);
        return;
    }
    const bool isDear = milliseconds_ > budget(size);
    if (inMotion && isDear && picture_.size() == size && fits(viewport)) {
        const QSizeF scene = QSizeF(size) / shown_.scale();
        const QRectF box(viewport.toDevice(shown_.origin), scene * viewport.scale());
        if (!box.contains(whole)) {
            painter.fillRect(whole, ground);
        }
        painter.drawPixmap(box, picture_, QRectF(picture_.rect()));
        return;
    }
    QElapsedTimer clock;
    clock.start();
    if (isDear) {
        if (picture_.size() != size) {
            picture_ = QPixmap(size);
        }
        QPainter into(&picture_);
        paint(into, whole);
        shown_ = viewport;
    } else {
        picture_ = {};
        paint(painter, exposed);
    }
    milliseconds_ = static_cast<double>(clock.nsecsElapsed()) * 1e-6;
    if (isDear) {
        painter.drawPixmap(QPoint(), picture_);
    }
}

} // namespace weft::ui
