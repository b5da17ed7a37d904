// SPDX-License-Identifier: Apache-2.0
#pragma once
// An overview of the whole network with the visible part; dragging moves the visible part.

#include "canvas/view/canvas_view.h"

#include <QPixmap>
#include <QTimer>

namespace weft::ui {

class Minimap : public QWidget {
    Q_OBJECT

public:
    explicit Minimap(CanvasView& view, Look& look, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override { go(event); }
    void mouseMoveEvent(QMouseEvent* event) override { go(event); }

private:
    void go(QMouseEvent* event);
    [[nodiscard]] Viewport place() const;

    CanvasView& view_;
    Look& look_;
    CanvasPainter painter_;
    QPixmap picture_; ///< the network without the frame of the visible part
    QTimer late_;     ///< delays repainting during a drag
};

} // namespace weft::ui
