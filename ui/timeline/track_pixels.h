// SPDX-License-Identifier: Apache-2.0
#pragma once
// Computes how busy each pixel of a track is, by class, for tracks of any length. Needs no widget.

#include "runs/span_store.h"

#include <cstdint>
#include <vector>

namespace weft::ui {

/// The visible time range, in nanoseconds of the span store.
struct TimeView {
    std::int64_t begin = 0; ///< nanoseconds
    double perPixel = 1000; ///< nanoseconds per pixel
    int width = 0;          ///< pixels

    [[nodiscard]] std::int64_t end() const { ///< nanoseconds
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

/// Adds the track's busy share of each pixel; 1 means busy all the time.
void addBusyShares(const TrackSpans& track, const TimeView& view, std::vector<BusyTime>& pixels);

/// Indices of the spans in the view: [first, last).
struct SpanRange {
    std::size_t first = 0; ///< index
    std::size_t last = 0;  ///< index after the last span
    [[nodiscard]] std::size_t size() const { return last - first; }
};
[[nodiscard]] SpanRange spansIn(const TrackSpans& track, const TimeView& view);

} // namespace weft::ui
