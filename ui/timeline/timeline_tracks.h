// SPDX-License-Identifier: Apache-2.0
#pragma once
// The tracks under the hand: a drag measures a stretch, a click tells which span, a double click
// shows it whole. New spans leave a chosen view alone.

#include "timeline/time_plot.h"
#include "timeline/timeline_drawing.h"

namespace weft::ui {

class TimelineTracks : public TimePlot {
    Q_OBJECT

public:
    TimelineTracks(const Look& look, const SpanStore& measured, const SpanStore& predicted,
                   QWidget* parent = nullptr);

    /// Colour slot of each device.
    void setHues(std::vector<int> hues);
    /// The step that is looked at: 0 of the ruler. nullopt: the predicted one alone.
    void showStep(std::optional<std::int64_t> step);
    void setChosen(std::set<std::uint32_t> measured, std::set<std::uint32_t> predicted);
    /// The stores hold other spans.
    void refresh();
    void fit() override;
    [[nodiscard]] const TimelinePicture& picture() const { return picture_; }
    void showStretch(std::int64_t begin, std::int64_t end);
    /// The next or last span of what is chosen, seen from the middle of the view.
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
};

} // namespace weft::ui
