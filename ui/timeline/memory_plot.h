// SPDX-License-Identifier: Apache-2.0
#pragma once
// Interactive memory map of a device: shows the block under the pointer with a frame and a tooltip;
// a click emits its layer. A new map keeps the chosen view on the same steps.

#include "timeline/memory_drawing.h"
#include "timeline/time_plot.h"

namespace weft::ui {

class MemoryPlot : public TimePlot {
    Q_OBJECT

public:
    explicit MemoryPlot(const Look& look, QWidget* parent = nullptr);

    void show(MemoryMap map, int slot);
    using QWidget::show;
    /// Draws all steps with equal length, or with their predicted lengths.
    void setEven(bool isEven);
    void setChosen(std::set<std::uint32_t> blocks);
    void fit() override;
    [[nodiscard]] const MemoryPicture& picture() const { return picture_; }

    [[nodiscard]] QSize sizeHint() const override { return {640, 220}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {320, 60}; }

protected:
    [[nodiscard]] TimeView& view() override { return picture_.view; }
    [[nodiscard]] TimeView limited(TimeView wanted) const override;
    void setView(std::int64_t begin, double perPixel, bool isFitted) override;
    void drawPicture(QImage& image) override;
    void drawOver(QPainter& painter) override;
    void pointAt(QPoint at) override;
    [[nodiscard]] QString layerAt(QPoint at) const override;
    [[nodiscard]] QString tipAt(QPoint at) const override;
    void leaveEvent(QEvent* event) override;

private:
    void take(MemoryPicture picture);
    [[nodiscard]] double mostPerPixel() const;
    [[nodiscard]] QString tipOf(const MemoryBlock& block) const;

    MemoryPicture picture_;
    std::optional<std::uint32_t> hovered_;
};

} // namespace weft::ui
