// SPDX-License-Identifier: Apache-2.0
#pragma once
// Interactive tracks of a timeline: a drag measures a time range, a click selects a span, a double
// click zooms to it. New spans do not move a view that the user has chosen.

#include "timeline/time_plot.h"
#include "timeline/timeline_drawing.h"

#include <map>
#include <string>

namespace weft::ui {

class TimelineTracks : public TimePlot {
    Q_OBJECT

public:
    TimelineTracks(const Look& look, const SpanStore& measured, const SpanStore& predicted,
                   QWidget* parent = nullptr);

    void setPaletteIndices(std::vector<int> paletteIndices); ///< by device number
    void showStep(std::optional<std::int64_t> step); ///< at 0 of the ruler; none: prediction only
    void setChosen(std::set<std::uint32_t> measured, std::set<std::uint32_t> predicted);
    void refresh();      ///< the span stores have changed
    void fit() override; ///< shows the whole step
    [[nodiscard]] const TimelinePicture& picture() const { return picture_; }
    void showTimeRange(std::int64_t begin, std::int64_t end); ///< nanoseconds
    /// Moves to the next or previous span of the selected layers, from the centre of the view.
    void goToSelectedSpan(bool isNext); ///< or previous, from the centre of the view

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {320, sizeHint().height()}; }

protected:
    [[nodiscard]] TimeView& view() override { return picture_.view; }
    [[nodiscard]] TimeView limitedView(TimeView wanted) const override;
    void drawPicture(QImage& image) override;
    void drawPointerOverlay(QPainter& painter) override;
    void pointerMoved(QPoint at) override;
    [[nodiscard]] QString layerAt(QPoint at) const override;
    [[nodiscard]] QString toolTipAt(QPoint at) const override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QString toolTipText(const HitSpan& hit) const;

    TimelinePicture picture_;
    std::vector<int> paletteIndices_;  ///< by device number
    std::optional<std::int64_t> step_; ///< step at 0 of the ruler; none: only the predicted step
    std::map<std::string, std::string> opHelps_; ///< help by kind of op
};

} // namespace weft::ui
