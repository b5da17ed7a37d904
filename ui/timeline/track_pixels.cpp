// SPDX-License-Identifier: Apache-2.0
#include "timeline/track_pixels.h"

#include <algorithm>
#include <cmath>

namespace weft::ui {

namespace {

// With more spans per pixel, reads blocks of spans instead.
constexpr std::size_t spansPerPixel = 4;

/// Distributes the busy time of a span or block evenly over the pixels it covers.
class Spreader {
public:
    Spreader(const TimeView& view, std::vector<BusyTime>& pixels)
        : view_(view), pixels_(pixels), last_(static_cast<int>(pixels.size()) - 1) {}

    void add(std::int64_t begin, std::int64_t end, const BusyTime& busy) {
        const double from = view_.toPixel(begin);
        const double to = view_.toPixel(end);
        const auto first = static_cast<int>(std::floor(from));
        const auto last = static_cast<int>(std::ceil(to)) - 1;
        if (last <= first) {
            if (first >= 0 && first <= last_) {
                put(first, busy, 1);
            }
            return;
        }
        const double length = to - from;
        for (int pixel = std::max(first, 0); pixel <= std::min(last, last_); ++pixel) {
            const double part = std::min(to, pixel + 1.0) - std::max(from, double(pixel));
            put(pixel, busy, part / length);
        }
    }

private:
    void put(int pixel, const BusyTime& busy, double part) {
        BusyTime& at = pixels_[static_cast<std::size_t>(pixel)];
        const auto scale = static_cast<float>(part / view_.perPixel);
        for (std::size_t i = 0; i < spanClasses; ++i) {
            at[i] += busy[i] * scale;
        }
    }

    const TimeView& view_;
    std::vector<BusyTime>& pixels_;
    int last_;
};

} // namespace

SpanRange spansIn(const TrackSpans& track, const TimeView& view) {
    const auto& spans = track.spans();
    const std::size_t first = track.firstEndingAfter(view.begin);
    const auto last = std::lower_bound(
        spans.begin() + static_cast<std::ptrdiff_t>(first), spans.end(), view.end(),
        [](const TrackSpans::Span& span, std::int64_t time) { return span.begin < time; });
    return {first, static_cast<std::size_t>(last - spans.begin())};
}

void addBusyShares(const TrackSpans& track, const TimeView& view, std::vector<BusyTime>& pixels) {
    pixels.resize(static_cast<std::size_t>(std::max(view.width, 0)));
    const SpanRange range = spansIn(track, view);
    const std::size_t most = spansPerPixel * pixels.size();
    Spreader spreader(view, pixels);
    if (range.size() <= most || track.levels().empty()) {
        for (std::size_t i = range.first; i < range.last; ++i) {
            const TrackSpans::Span& span = track.spans()[i];
            BusyTime busy{};
            busy[static_cast<std::size_t>(span.kind)] = static_cast<float>(span.end - span.begin);
            spreader.add(span.begin, span.end, busy);
        }
        return;
    }
    std::size_t level = 0;
    std::size_t size = TrackSpans::smallestBlock;
    while (level + 1 < track.levels().size() && range.size() / size > most) {
        ++level;
        size *= TrackSpans::fanOut;
    }
    const auto& blocks = track.levels()[level];
    const std::size_t last = std::min((range.last + size - 1) / size, blocks.size());
    for (std::size_t i = range.first / size; i < last; ++i) {
        spreader.add(blocks[i].begin, blocks[i].end, blocks[i].busy);
    }
}

} // namespace weft::ui
