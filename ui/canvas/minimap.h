// SPDX-License-Identifier: Apache-2.0
#pragma once
// All of the network at a glance, with the part that is looked at; dragging moves it.

#include "canvas/canvas_view.h"

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
    QPixmap picture_; ///< of the network, without what is looked at
    QTimer late_;     ///< so that a drag does not paint it with every frame
};

} // namespace weft::ui
