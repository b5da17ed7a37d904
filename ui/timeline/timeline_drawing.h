// SPDX-License-Identifier: Apache-2.0
#pragma once
// Draws the tracks of a timeline: one row per device with predicted spans in outline above the
// measured spans, a row of collectives, and the critical path. Pixel rows are computed once per
// track and copied into the image. Needs no widget.

#include "runs/step_analysis.h"
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
    int slot = 0; ///< index of the device palette
    int top = 0;
    int height = 0;
};

struct TimelinePicture {
    const SpanStore* measured = nullptr;
    const SpanStore* predicted = nullptr; ///< one step that starts at 0
    std::vector<TimelineRow> rows;
    std::vector<CriticalSpan> critical;
    std::set<std::uint32_t> chosenMeasured; ///< span sites of selected layers
    std::set<std::uint32_t> chosenPredicted;
    TimeView view;
    std::int64_t origin = 0;       ///< zero of the ruler: start of the shown step
    std::int64_t predictedEnd = 0; ///< end of the predicted step; 0: no prediction
};

inline constexpr int timelineGutter = 112;
inline constexpr int timelineRuler = 24;

/// Returns rows for the measured devices, or else the predicted devices, in order.
[[nodiscard]] std::vector<TimelineRow> rowsOf(const SpanStore& measured, const SpanStore& predicted,
                                              const std::vector<int>& hues);
[[nodiscard]] int heightOf(const std::vector<TimelineRow>& rows);

/// Colour for waiting time of devices, in tracks and bars.
[[nodiscard]] QColor waitingColour(const Theme& theme);

void drawTimeline(QImage& image, const QSize& size, const TimelinePicture& picture,
                  const Theme& theme);

/// The span at a point of the picture.
struct HitSpan {
    bool isPredicted = false;
    std::uint32_t site = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;
    DeviceId device = {};
    std::uint32_t track = 0;
    std::int64_t step = 0;
};
/// Returns the longest span if several share a pixel.
[[nodiscard]] std::optional<HitSpan> spanAt(const TimelinePicture& picture, QPointF at);

} // namespace weft::ui
