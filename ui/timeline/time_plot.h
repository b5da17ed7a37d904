// SPDX-License-Identifier: Apache-2.0
#pragma once
// A stretch of time under the hand. Wheel or W and S: zoom about the pointer; A, D, Shift and
// wheel, middle drag: move; F: all of it; a click tells which layer was met, a rest what lies
// there. What is drawn, and how far one may go, is said by those that inherit.

#include "timeline/track_pixels.h"
#include "widgets/pixel_picture.h"

#include <QWidget>
#include <optional>

namespace weft::ui {

class Look;

class TimePlot : public QWidget {
    Q_OBJECT

public:
    /// `gutter`: what stands left of the time.
    TimePlot(const Look& look, int gutter, QWidget* parent);

    virtual void fit() = 0;
    [[nodiscard]] bool isFitted() const { return isFitted_; }

Q_SIGNALS:
    /// Empty: beside all layers.
    void clicked(const QString& layer);
    void viewChosen();

protected:
    /// What is seen: the picture's own.
    [[nodiscard]] virtual TimeView& view() = 0;
    /// The nearest view to a wanted one that may be.
    [[nodiscard]] virtual TimeView limited(TimeView wanted) const = 0;
    virtual void drawPicture(QImage& image) = 0;
    /// What follows the pointer.
    virtual void drawOver(QPainter& painter) = 0;
    /// Nothing is dragged along.
    virtual void pointAt(QPoint at) = 0;
    [[nodiscard]] virtual QString layerAt(QPoint at) const = 0;
    /// Empty: nothing to tell.
    [[nodiscard]] virtual QString tipAt(QPoint at) const = 0;

    /// A pixel is never less than a tenth of a nanosecond.
    static constexpr double leastPerPixel = 0.1;
    /// What goes less far is a click.
    static constexpr int shortestDrag = 4;

    virtual void setView(std::int64_t begin, double perPixel, bool isFitted);
    void zoom(double pixel, double factor);
    void move(double pixels);
    /// What was drawn is another.
    void redraw();
    [[nodiscard]] int plotWidth() const;
    [[nodiscard]] const Look& look() const { return look_; }
    [[nodiscard]] QPoint pointer() const { return pointer_; }
    /// Where the left button went down.
    [[nodiscard]] std::optional<QPoint> pressed() const { return pressed_; }

    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    const Look& look_;
    int gutter_;
    PixelPicture drawn_;
    bool isFitted_ = true;
    std::optional<QPoint> pressed_;
    bool isMoving_ = false;
    QPoint pointer_;
};

} // namespace weft::ui
