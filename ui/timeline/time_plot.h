// SPDX-License-Identifier: Apache-2.0
#pragma once
// Base class of plots over time. Wheel or W and S zoom at the pointer; A, D, Shift+wheel and middle
// drag pan; F shows everything; a click emits the layer at the pointer, hovering shows a tooltip.
// Derived classes draw the content and limit the range.

#include "timeline/track_pixels.h"
#include "widgets/pixel_picture.h"

#include <QWidget>
#include <optional>

namespace weft::ui {

class Look;

class TimePlot : public QWidget {
    Q_OBJECT

public:
    /// `gutter`: width of the area left of the time axis.
    TimePlot(const Look& look, int gutter, QWidget* parent);

    virtual void fit() = 0;
    [[nodiscard]] bool isFitted() const { return isFitted_; }

Q_SIGNALS:
    /// Empty: no layer at this position.
    void clicked(const QString& layer);
    void viewChosen();

protected:
    /// The visible range, stored in the picture of the derived class.
    [[nodiscard]] virtual TimeView& view() = 0;
    /// Returns the nearest allowed range.
    [[nodiscard]] virtual TimeView limited(TimeView wanted) const = 0;
    virtual void drawPicture(QImage& image) = 0;
    /// Draws what follows the pointer.
    virtual void drawOver(QPainter& painter) = 0;
    /// The pointer moved without a drag.
    virtual void pointAt(QPoint at) = 0;
    [[nodiscard]] virtual QString layerAt(QPoint at) const = 0;
    /// Returns the tooltip, or an empty text.
    [[nodiscard]] virtual QString tipAt(QPoint at) const = 0;

    /// Least nanoseconds per pixel.
    static constexpr double leastPerPixel = 0.1;
    /// A shorter drag counts as a click.
    static constexpr int shortestDrag = 4;

    virtual void setView(std::int64_t begin, double perPixel, bool isFitted);
    void zoom(double pixel, double factor);
    void move(double pixels);
    /// Repaints after a change of content.
    void redraw();
    [[nodiscard]] int plotWidth() const;
    [[nodiscard]] const Look& look() const { return look_; }
    [[nodiscard]] QPoint pointer() const { return pointer_; }
    /// Position where the left button was pressed.
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
