// SPDX-License-Identifier: Apache-2.0
#pragma once
// From a track of any length to how busy each pixel of it is, and with what. Needs no widget.

#include "session/span_store.h"

#include <cstdint>
#include <vector>

namespace weft::ui {

/// The stretch of time that is seen, in nanoseconds of the store.
struct TimeView {
    std::int64_t begin = 0;
    double perPixel = 1000;
    int width = 0;

    [[nodiscard]] std::int64_t end() const {
        return begin + static_cast<std::int64_t>(perPixel * width);
    }
    [[nodiscard]] double toPixel(std::int64_t time) const {
        return static_cast<double>(time - begin) / perPixel;
    }
    [[nodiscard]] std::int64_t toTime(double pixel) const {
        return begin + static_cast<std::int64_t>(pixel * perPixel);
    }
    bool operator==(const TimeView&) const = default;
};

/// Adds each pixel's busy shares of the track, 1 where it is busy all the time.
void addShares(const TrackSpans& track, const TimeView& view, std::vector<BusyTime>& pixels);

/// Spans that touch the view: [first, last).
struct SpanRange {
    std::size_t first = 0;
    std::size_t last = 0;
    [[nodiscard]] std::size_t size() const { return last - first; }
};
[[nodiscard]] SpanRange spansIn(const TrackSpans& track, const TimeView& view);

} // namespace weft::ui
