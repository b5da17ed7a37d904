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
    /// `leftMargin`: width of the area left of the time axis.
    TimePlot(const Look& look, int leftMargin, QWidget* parent);

    virtual void fit() = 0;                                   ///< shows everything
    [[nodiscard]] bool isFitted() const { return isFitted_; } ///< shows everything

Q_SIGNALS:
    void clicked(const QString& layer); ///< empty: no layer at this position
    void viewChosen();                  ///< the user has zoomed or panned

protected:
    [[nodiscard]] virtual TimeView& view() = 0; ///< visible range, stored in the derived class
    /// Returns the nearest allowed range.
    [[nodiscard]] virtual TimeView
    limitedView(TimeView wanted) const = 0;                 ///< nearest allowed range
    virtual void drawPicture(QImage& image) = 0;            ///< everything but the pointer overlay
    virtual void drawPointerOverlay(QPainter& painter) = 0; ///< what follows the pointer
    virtual void pointerMoved(QPoint at) = 0;               ///< without a drag
    [[nodiscard]] virtual QString layerAt(QPoint at) const = 0;   ///< full name; empty: none
    [[nodiscard]] virtual QString toolTipAt(QPoint at) const = 0; ///< empty: none

    static constexpr double leastPerPixel = 0.1; ///< least nanoseconds per pixel
    static constexpr int shortestDrag = 4;       ///< a shorter drag counts as a click

    virtual void setView(std::int64_t begin, double perPixel, bool isFitted);
    void zoom(double pixel, double factor); ///< about `pixel`
    void move(double pixels);               ///< pans
    void redraw();                          ///< repaints after a change of content
    [[nodiscard]] int plotWidth() const;    ///< logical pixels right of the margin
    [[nodiscard]] const Look& look() const { return look_; }
    [[nodiscard]] QPoint pointer() const { return pointer_; } ///< last position
    /// Position where the left button was pressed.
    [[nodiscard]] std::optional<QPoint> pressPosition() const { return pressPosition_; }

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
    int leftMargin_;             ///< logical pixels left of the time axis
    PixelPicture cachedPicture_; ///< everything but the pointer overlay
    bool isFitted_ = true;       ///< shows everything; new data keeps that
    std::optional<QPoint> pressPosition_;
    bool isPanning_ = false; ///< the middle button or Shift is held
    QPoint pointer_;
};

} // namespace weft::ui
