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
    void mousePressEvent(QMouseEvent* event) override { moveViewTo(event); }
    void mouseMoveEvent(QMouseEvent* event) override { moveViewTo(event); }

private:
    void moveViewTo(QMouseEvent* event);             ///< centres the canvas at the pointer
    [[nodiscard]] Viewport overviewViewport() const; ///< shows the whole network

    CanvasView& view_;
    Look& look_;
    CanvasPainter painter_;
    QPixmap picture_;     ///< the network without the frame of the visible part
    QTimer repaintTimer_; ///< delays repainting during a drag
};

} // namespace weft::ui
