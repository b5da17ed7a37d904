// SPDX-License-Identifier: Apache-2.0
#pragma once
// The spans of a run by device and track, millions of them, with sums of busy time over blocks of
// spans, so that a track of any length is drawn from about as many blocks as it has pixels. Spans
// of one track follow each other. Filled and read on the GUI thread.

#include <weft/timeline.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace weft::ui {

/// What a span is drawn as.
enum class SpanClass : std::uint8_t { forward, backward, update, communicate, wait, other };
inline constexpr std::size_t spanClasses = 6;
[[nodiscard]] SpanClass classOf(const SpanSite& site);

/// Busy time of each class.
using BusyTime = std::array<float, spanClasses>;

class TrackSpans {
public:
    TrackSpans(DeviceId device, std::uint32_t track) : device_(device), track_(track) {}

    struct Span {
        std::int64_t begin = 0;
        std::int64_t end = 0;
        std::int64_t step = 0;
        std::uint32_t site = 0;
        SpanClass kind = SpanClass::other;
    };
    struct Block {
        std::int64_t begin = 0;
        std::int64_t end = 0;
        BusyTime busy = {};
    };
    static constexpr std::size_t smallestBlock = 16;
    static constexpr std::size_t fanOut = 4;

    [[nodiscard]] DeviceId device() const { return device_; }
    [[nodiscard]] std::uint32_t track() const { return track_; }
    [[nodiscard]] const std::vector<Span>& spans() const { return spans_; }
    /// Whether a span of that class was ever on it.
    [[nodiscard]] bool has(SpanClass kind) const { return kinds_ & (1U << unsigned(kind)); }
    [[nodiscard]] bool isCommunication() const;
    /// First span that ends after `time`.
    [[nodiscard]] std::size_t firstEndingAfter(std::int64_t time) const;
    /// Blocks of a level; level 0 has `smallestBlock` spans each.
    [[nodiscard]] const std::vector<std::vector<Block>>& levels() const { return levels_; }

    void append(const Span& span);

private:
    void rebuild();

    DeviceId device_;
    std::uint32_t track_;
    std::uint32_t kinds_ = 0;
    std::vector<Span> spans_;
    std::vector<std::vector<Block>> levels_;
};

/// From a step's first begin on any device to its last end.
struct StepWindow {
    std::int64_t step = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;
    bool isInDetail = true; ///< no device repeated many steps of its program as one
    bool operator==(const StepWindow&) const = default;
};

class SpanStore {
public:
    /// Whole steps, in their order. The clock of a resumed run begins anew: what comes later is
    /// moved behind what was there.
    void append(const Timeline& timeline);
    void clear();

    [[nodiscard]] const std::vector<SpanSite>& sites() const { return sites_; }
    /// By device, then track.
    [[nodiscard]] const std::vector<TrackSpans>& tracks() const { return tracks_; }
    [[nodiscard]] std::vector<DeviceId> devices() const;
    [[nodiscard]] std::string nameOf(DeviceId device) const;
    [[nodiscard]] const std::vector<StepWindow>& steps() const { return steps_; }
    [[nodiscard]] const StepWindow* window(std::int64_t step) const;
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::uint64_t revision() const { return revision_; }
    /// Spans of one step, with the store's times; sorted.
    [[nodiscard]] Timeline ofStep(std::int64_t step) const;

private:
    std::uint32_t siteOf(const SpanSite& site);
    TrackSpans& trackOf(DeviceId device, std::uint32_t track);

    std::vector<SpanSite> sites_;
    std::map<std::string, std::uint32_t> siteByText_;
    std::vector<TrackSpans> tracks_;
    std::map<DeviceId, std::string> names_;
    Nanoseconds clockError_;
    std::vector<StepWindow> steps_;
    std::int64_t shift_ = 0;
    std::int64_t latestBegin_ = 0; ///< of the clock of the attempt
    std::size_t size_ = 0;
    std::uint64_t revision_ = 0;
};

} // namespace weft::ui
