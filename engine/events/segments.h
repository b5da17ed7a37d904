// SPDX-License-Identifier: Apache-2.0
#pragma once
// The spans of one rank on disk: segment files spans.<rank>/NNNN.weftlog of bounded size. When they
// outgrow their share, the two oldest neighbours of one spacing become one with twice the spacing,
// so that what is kept always covers the whole run, the past more thinly. Used by the log's disk
// thread alone.

#include "base/files.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace weft {

struct SegmentInfo {
    std::uint32_t number = 0;
    std::uint32_t attempt = 1;
    std::int64_t spacing = 1;
    std::uint32_t parts = 1;  ///< that a whole step has: one per worker
    std::uint32_t covers = 0; ///< the last segment that was merged into it; itself, if none
    std::uint64_t bytes = 0;
};

/// The segments of a folder that can be read, in order; those already merged into another are left
/// out.
[[nodiscard]] std::vector<SegmentInfo> segmentsIn(const std::filesystem::path& folder);
/// The highest number there is; 0 without segments.
[[nodiscard]] std::uint32_t lastSegment(const std::filesystem::path& folder);
[[nodiscard]] std::filesystem::path segmentPath(const std::filesystem::path& folder,
                                                std::uint32_t number);

class SpanSegments {
public:
    struct Limits {
        std::uint64_t bytes = 256'000'000;
        std::int64_t keptBefore = 20; ///< steps below are kept for ever
    };
    SpanSegments(std::filesystem::path folder, std::uint32_t attempt, Limits limits);

    /// Whole events; a new segment begins when the last is full or the spacing is another.
    void append(std::span<const std::byte> events, std::int64_t spacing, std::uint32_t parts);
    [[nodiscard]] std::uint64_t bytes() const;

private:
    void begin(std::int64_t spacing, std::uint32_t parts);
    void write(std::span<const std::byte> bytes);
    void thin();
    void merge(std::size_t first);

    std::filesystem::path folder_;
    std::uint32_t attempt_;
    Limits limits_;
    std::uint64_t segmentBytes_;
    std::vector<SegmentInfo> segments_;
    FileHandle file_; ///< the last of them, when it is open
    std::vector<std::byte> frames_;
};

} // namespace weft
