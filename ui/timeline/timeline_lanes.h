// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The lanes under the hand. Wheel or W and S: zoom; A, D, Shift and wheel, middle drag: move; F:
// the step; drag: measures a stretch; click: tells which span. New spans leave a chosen view alone.

#include "timeline/timeline_drawing.h"
#include "widgets/pixel_picture.h"

#include <QWidget>
#include <optional>

namespace weft::ui {

class Look;

class TimelineLanes : public QWidget {
    Q_OBJECT

public:
    TimelineLanes(const Look& look, const SpanStore& measured, const SpanStore& predicted,
                  QWidget* parent = nullptr);

    /// Colour slot of each device.
    void setHues(std::vector<int> hues);
    /// The step that is looked at: 0 of the ruler. nullopt: the predicted one alone.
    void showStep(std::optional<std::int64_t> step);
    void setChosen(std::set<std::uint32_t> measured, std::set<std::uint32_t> predicted);
    /// The stores hold other spans.
    void refresh();
    void fit();
    [[nodiscard]] bool isFitted() const { return isFitted_; }
    [[nodiscard]] const TimelinePicture& picture() const { return picture_; }
    void showStretch(std::int64_t begin, std::int64_t end);
    /// The next or last span of what is chosen, seen from the middle of the view.
    void goToChosen(bool isNext);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {320, sizeHint().height()}; }

Q_SIGNALS:
    /// Empty: beside all spans.
    void clicked(const QString& layer);
    void viewChosen();

protected:
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
    void zoom(double pixel, double factor);
    void move(double pixels);
    void setView(std::int64_t begin, double perPixel, bool isFitted);
    void redraw();
    void drawMeasure(QPainter& painter);
    [[nodiscard]] QString tipOf(const HitSpan& hit) const;
    [[nodiscard]] int laneWidth() const;

    const Look& look_;
    TimelinePicture picture_;
    std::vector<int> hues_;
    std::optional<std::int64_t> step_;
    bool isFitted_ = true;
    PixelPicture drawn_;
    std::optional<QPoint> measureFrom_;
    std::optional<QPoint> movedFrom_;
    QPoint pointer_;
};

} // namespace weft::ui
