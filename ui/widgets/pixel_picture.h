// SPDX-License-Identifier: Apache-2.0
#pragma once
// Caches a view's picture in device pixels; redraws it after a change of content or size.

#include <QImage>
#include <QPainter>
#include <QWidget>

namespace weft::ui {

class PixelPicture {
public:
    /// Marks the picture as outdated.
    void invalidate() { isDrawn_ = false; }

    /// `draw` fills an image of the view's size in device pixels, with its device pixel ratio set.
    template <class Draw>
    void paint(QPainter& painter, const QWidget& view, const Draw& draw) {
        const double ratio = view.devicePixelRatioF();
        const QSize pixels(qRound(view.width() * ratio), qRound(view.height() * ratio));
        if (!isDrawn_ || image_.size() != pixels) {
            if (image_.size() != pixels) {
                image_ = QImage(pixels, QImage::Format_RGB32);
            }
            image_.setDevicePixelRatio(ratio);
            draw(image_);
            isDrawn_ = true;
        }
        painter.drawImage(0, 0, image_);
    }

private:
    QImage image_;
    bool isDrawn_ = false;
};

} // namespace weft::ui
