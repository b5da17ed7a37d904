// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The map of a device's memory under the hand. Wheel or W and S: zoom; A, D, Shift and wheel,
// middle drag: move; F: the whole step; what lies under the pointer is told and framed; a click
// tells whose it is.

#include "timeline/memory_drawing.h"
#include "widgets/pixel_picture.h"

#include <QWidget>

namespace weft::ui {

class Look;

class MemoryPlot : public QWidget {
    Q_OBJECT

public:
    explicit MemoryPlot(const Look& look, QWidget* parent = nullptr);

    void show(MemoryMap map, int slot);
    using QWidget::show;
    /// All steps as long as one another, else as long as they are predicted to take.
    void setEven(bool isEven);
    void setChosen(std::set<std::uint32_t> blocks);
    void fit();
    [[nodiscard]] const MemoryPicture& picture() const { return picture_; }

    [[nodiscard]] QSize sizeHint() const override { return {640, 220}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {320, 60}; }

Q_SIGNALS:
    /// Empty: beside all blocks, or one of no layer.
    void clicked(const QString& layer);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    void zoom(double pixel, double factor);
    void move(double pixels);
    void setView(std::int64_t begin, double perPixel, bool isFitted);
    void redraw();
    [[nodiscard]] QString tipOf(const MemoryBlock& block) const;
    [[nodiscard]] int plotWidth() const;

    const Look& look_;
    MemoryPicture picture_;
    PixelPicture drawn_;
    bool isFitted_ = true;
    std::optional<std::uint32_t> hovered_;
    std::optional<QPoint> pressed_;
    std::optional<QPoint> movedFrom_;
};

} // namespace weft::ui
