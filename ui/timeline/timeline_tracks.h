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

    /// Palette index of each device.
    void setHues(std::vector<int> hues);
    /// Sets the step at 0 of the ruler; std::nullopt: only the predicted step.
    void showStep(std::optional<std::int64_t> step);
    void setChosen(std::set<std::uint32_t> measured, std::set<std::uint32_t> predicted);
    /// Called when the span stores have changed.
    void refresh();
    void fit() override;
    [[nodiscard]] const TimelinePicture& picture() const { return picture_; }
    void showStretch(std::int64_t begin, std::int64_t end);
    /// Moves to the next or previous span of the selected layers, from the centre of the view.
    void goToChosen(bool isNext);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {320, sizeHint().height()}; }

protected:
    [[nodiscard]] TimeView& view() override { return picture_.view; }
    [[nodiscard]] TimeView limited(TimeView wanted) const override;
    void drawPicture(QImage& image) override;
    void drawOver(QPainter& painter) override;
    void pointAt(QPoint at) override;
    [[nodiscard]] QString layerAt(QPoint at) const override;
    [[nodiscard]] QString tipAt(QPoint at) const override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QString tipOf(const HitSpan& hit) const;

    TimelinePicture picture_;
    std::vector<int> hues_;
    std::optional<std::int64_t> step_;
    std::map<std::string, std::string> opHelps_;
};

} // namespace weft::ui
