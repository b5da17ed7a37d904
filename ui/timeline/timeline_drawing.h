// SPDX-License-Identifier: Apache-2.0
#pragma once
// The tracks as a picture: a row per device with its predicted spans in outline above the measured
// ones, a row of collectives, the critical path. Rows of pixels are made once per track and copied
// into the lines of the image. Needs no widget.

#include "session/step_analysis.h"
#include "theme/theme.h"
#include "timeline/track_pixels.h"

#include <QImage>
#include <QPainter>
#include <QRect>
#include <optional>
#include <set>
#include <vector>

namespace weft::ui {

enum class RowKind : std::uint8_t { device, collectives, criticalPath };

struct TimelineRow {
    RowKind kind = RowKind::device;
    DeviceId device = {};
    QString name;
    int slot = 0; ///< of the device colours
    int top = 0;
    int height = 0;
};

struct TimelinePicture {
    const SpanStore* measured = nullptr;
    const SpanStore* predicted = nullptr; ///< one step, from 0 on
    std::vector<TimelineRow> rows;
    std::vector<CriticalSpan> critical;
    std::set<std::uint32_t> chosenMeasured; ///< sites of what is selected
    std::set<std::uint32_t> chosenPredicted;
    TimeView view;
    std::int64_t origin = 0;       ///< time that the ruler calls 0: the chosen step's begin
    std::int64_t predictedEnd = 0; ///< of the step, from 0; 0: nothing is predicted
};

inline constexpr int timelineGutter = 112;
inline constexpr int timelineRuler = 24;

/// From what was measured, else from what is predicted; devices in their order.
[[nodiscard]] std::vector<TimelineRow> rowsOf(const SpanStore& measured, const SpanStore& predicted,
                                              const std::vector<int>& hues);
[[nodiscard]] int heightOf(const std::vector<TimelineRow>& rows);

/// Colour of the time in which a device waits for others, in tracks and bars.
[[nodiscard]] QColor waitingColour(const Theme& theme);

void drawTimeline(QImage& image, const QSize& size, const TimelinePicture& picture,
                  const Theme& theme);

/// What is at a point of the picture.
struct HitSpan {
    bool isPredicted = false;
    std::uint32_t site = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;
    DeviceId device = {};
    std::uint32_t track = 0;
    std::int64_t step = 0;
};
/// Where several spans lie in one pixel, the longest.
[[nodiscard]] std::optional<HitSpan> spanAt(const TimelinePicture& picture, QPointF at);

} // namespace weft::ui
