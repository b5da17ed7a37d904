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
    void setEven(bool isEven);                      ///< true: all steps have equal length
    void setChosen(std::set<std::uint32_t> blocks); ///< blocks of the selected layers
    void fit() override;                            ///< shows the whole step
    [[nodiscard]] const MemoryPicture& picture() const { return picture_; }

    [[nodiscard]] QSize sizeHint() const override { return {640, 220}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {320, 60}; }

protected:
    [[nodiscard]] TimeView& view() override { return picture_.view; }
    [[nodiscard]] TimeView limitedView(TimeView wanted) const override;
    void setView(std::int64_t begin, double perPixel, bool isFitted) override;
    void drawPicture(QImage& image) override;
    void drawPointerOverlay(QPainter& painter) override;
    void pointerMoved(QPoint at) override;
    [[nodiscard]] QString layerAt(QPoint at) const override;
    [[nodiscard]] QString toolTipAt(QPoint at) const override;
    void leaveEvent(QEvent* event) override;

private:
    void take(MemoryPicture picture); ///< shows it, keeping the chosen view on the same steps
    [[nodiscard]] double mostPerPixel() const; ///< most time units per pixel
    [[nodiscard]] QString toolTipText(const MemoryBlock& block) const;

    MemoryPicture picture_;
    std::optional<std::uint32_t> hoveredBlock_; ///< index of the block under the pointer
};

} // namespace weft::ui
