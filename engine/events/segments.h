// SPDX-License-Identifier: Apache-2.0
#pragma once
// The spans of one rank on disk, in segment files spans.<rank>/NNNN.weftlog of bounded size. Beyond
// the size limit, the two oldest neighbours of one spacing are merged with twice the spacing, so
// that the spans cover the whole run, more sparsely in the past. Only used by the log's disk
// thread.

#include "base/files/files.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace weft {

struct SegmentInfo {
    std::uint32_t number = 0; ///< from 1, in order of time
    std::uint32_t attempt = 1;
    std::int64_t spacing = 1; ///< every how many steps spans were recorded
    std::uint32_t parts = 1;  ///< parts of a complete step, one per worker
    std::uint32_t covers = 0; ///< last segment that was merged into this one; itself if none
    std::uint64_t bytes = 0;  ///< size of the file
};

/// Returns the readable segments of a folder in order, without those that were merged into others.
[[nodiscard]] std::vector<SegmentInfo> segmentsIn(const std::filesystem::path& folder);
/// Returns the highest number; 0 without segments.
[[nodiscard]] std::uint32_t lastSegment(const std::filesystem::path& folder);
[[nodiscard]] std::filesystem::path segmentPath(const std::filesystem::path& folder,
                                                std::uint32_t number);

class SpanSegments {
public:
    struct Limits {
        std::uint64_t bytes = 256'000'000; ///< limit of the sum of all segments
        std::int64_t keptBefore = 20;      ///< steps below this number are always kept
    };
    SpanSegments(std::filesystem::path folder, std::uint32_t attempt, Limits limits);

    /// Appends whole events; starts a new segment when the last is full or the spacing changes.
    void append(std::span<const std::byte> events, std::int64_t spacing, std::uint32_t parts);
    [[nodiscard]] std::uint64_t bytes() const; ///< sum of all segments

private:
    void begin(std::int64_t spacing, std::uint32_t parts); ///< begins a new segment
    void write(std::span<const std::byte> bytes);          ///< appends to the last segment
    void thin();                   ///< merges segments until the limit holds
    void merge(std::size_t first); ///< merges segment `first` and the next

    std::filesystem::path folder_;
    std::uint32_t attempt_;
    Limits limits_;
    std::uint64_t segmentBytes_;        ///< limit of one segment
    std::vector<SegmentInfo> segments_; ///< all of the rank, in order
    FileHandle file_;                   ///< the last segment, if open
    std::vector<std::byte> frames_;     ///< buffer, reused
};

} // namespace weft
