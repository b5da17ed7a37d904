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
    RowKind kind = RowKind::device; ///< decides what is drawn
    DeviceId device = {};
    QString name;
    int slot = 0;   ///< index of the device palette
    int top = 0;    ///< logical pixels
    int height = 0; ///< logical pixels
};

struct TimelinePicture {
    const SpanStore* measured = nullptr;
    const SpanStore* predicted = nullptr; ///< one step that starts at 0
    std::vector<TimelineRow> rows;
    std::vector<CriticalSpan> critical;      ///< spans of the critical path
    std::set<std::uint32_t> chosenMeasured;  ///< span sites of selected layers
    std::set<std::uint32_t> chosenPredicted; ///< the same in the prediction
    TimeView view;                           ///< visible range
    std::int64_t origin = 0;                 ///< zero of the ruler: start of the shown step
    std::int64_t predictedEnd = 0;           ///< end of the predicted step; 0: no prediction
};

inline constexpr int timelineNamesWidth = 112; ///< logical pixels for device names
inline constexpr int timelineRulerHeight = 24; ///< logical pixels

/// Returns rows for the measured devices, or else the predicted devices, in order.
[[nodiscard]] std::vector<TimelineRow> rowsOf(const SpanStore& measured, const SpanStore& predicted,
                                              const std::vector<int>& paletteIndices);
[[nodiscard]] int heightOf(const std::vector<TimelineRow>& rows);

/// Colour for waiting time of devices, in tracks and bars.
[[nodiscard]] QColor waitingColour(const Theme& theme);

void drawTimeline(QImage& image, const QSize& size, const TimelinePicture& picture,
                  const Theme& theme);

/// The span at a point of the picture.
struct HitSpan {
    bool isPredicted = false; ///< from the prediction
    std::uint32_t site = 0;   ///< index of the op in the span store
    std::int64_t begin = 0;   ///< nanoseconds
    std::int64_t end = 0;     ///< nanoseconds
    DeviceId device = {};
    std::uint32_t track = 0; ///< number in the device's tracks
    std::int64_t step = 0;   ///< number in the run
};
/// Returns the longest span if several share a pixel.
[[nodiscard]] std::optional<HitSpan> spanAt(const TimelinePicture& picture, QPointF at);

} // namespace weft::ui
