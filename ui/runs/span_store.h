// SPDX-License-Identifier: Apache-2.0
#pragma once
// Millions of spans of a run by device and track, with busy times summed over blocks of spans, so
// that a track of any length is drawn from about as many blocks as it has pixels. Spans of one
// track do not overlap. Filled and read on the GUI thread.

#include <weft/timeline.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace weft::ui {

/// Colour class of a span.
enum class SpanClass : std::uint8_t { forward, backward, update, communicate, wait, other };
inline constexpr std::size_t spanClasses = 6;
[[nodiscard]] SpanClass classOf(const SpanSite& site);

using BusyTime = std::array<float, spanClasses>; ///< busy time per class

class TrackSpans {
public:
    TrackSpans(DeviceId device, std::uint32_t track) : device_(device), track_(track) {}

    struct Span {
        std::int64_t begin = 0; ///< nanoseconds
        std::int64_t end = 0;
        std::int64_t step = 0;
        std::uint32_t site = 0; ///< index of SpanStore::sites()
        SpanClass kind = SpanClass::other;
    };
    struct Block {
        std::int64_t begin = 0;
        std::int64_t end = 0;
        BusyTime busy = {}; ///< per class, summed over the spans
    };
    static constexpr std::size_t smallestBlock = 16; ///< spans in a block
    static constexpr std::size_t fanOut = 4;         ///< blocks in a larger block

    [[nodiscard]] DeviceId device() const { return device_; }
    [[nodiscard]] std::uint32_t track() const { return track_; }
    [[nodiscard]] const std::vector<Span>& spans() const { return spans_; }
    /// True if the track ever had a span of this class.
    [[nodiscard]] bool has(SpanClass kind) const { return classBits_ & (1U << unsigned(kind)); }
    [[nodiscard]] bool isCommunication() const; ///< no computation on this track
    /// Returns the index of the first span that ends after `time`.
    [[nodiscard]] std::size_t firstEndingAfter(std::int64_t time) const;
    /// Blocks by level; blocks of level 0 have `smallestBlock` spans.
    [[nodiscard]] const std::vector<std::vector<Block>>& levels() const { return blockLevels_; }

    void append(const Span& span);

private:
    void rebuild();

    DeviceId device_;
    std::uint32_t track_;
    std::uint32_t classBits_ = 0;
    std::vector<Span> spans_;
    std::vector<std::vector<Block>> blockLevels_;
};

/// From the first start of a step on any device to its last end.
struct StepWindow {
    std::int64_t step = 0;
    std::int64_t begin = 0; ///< nanoseconds
    std::int64_t end = 0;
    bool isInDetail = true; ///< false if a device replayed many program steps as one captured graph
    bool operator==(const StepWindow&) const = default;
};

class SpanStore {
public:
    /// Appends whole steps in order. The clock of a resumed run starts again, so its steps are
    /// shifted behind the earlier ones.
    void append(const Timeline& timeline);
    void clear();

    [[nodiscard]] const std::vector<SpanSite>& sites() const { return sites_; }
    /// Tracks ordered by device, then track.
    [[nodiscard]] const std::vector<TrackSpans>& tracks() const { return tracks_; }
    [[nodiscard]] std::vector<DeviceId> devices() const;
    [[nodiscard]] std::string nameOf(DeviceId device) const;
    [[nodiscard]] const std::vector<StepWindow>& steps() const { return steps_; }
    [[nodiscard]] const StepWindow* window(std::int64_t step) const; ///< nullptr: no spans
    [[nodiscard]] std::size_t size() const { return size_; }         ///< number of spans
    /// Increases with every change.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }
    /// Returns the spans of one step with the store's times, sorted.
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
    std::int64_t attemptOffset_ = 0; ///< added to the times of the attempt
    std::int64_t latestBegin_ = 0;   ///< by the clock of the attempt
    std::size_t size_ = 0;
    std::uint64_t revision_ = 0;
};

} // namespace weft::ui
