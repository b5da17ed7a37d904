// SPDX-License-Identifier: Apache-2.0
#pragma once
// A view's picture in device pixels, drawn anew when what it shows or its size has changed.

#include <QImage>
#include <QPainter>
#include <QWidget>

namespace weft::ui {

class PixelPicture {
public:
    /// What it shows is another.
    void spoil() { isDrawn_ = false; }

    /// `draw` fills an image of the view's pixels, whose ratio is set.
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
