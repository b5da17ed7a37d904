// SPDX-License-Identifier: Apache-2.0
#pragma once
// The spans of one rank, segment by segment, from the oldest kept and on as they grow; steps come
// out when all their parts are there. Segments that are thinned while they are being followed may
// lose steps, never mix them.

#include "events/frame.h"
#include "events/segments.h"
#include <weft/events.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace weft {

/// All spans of a step on one rank.
struct RankStep {
    std::uint32_t attempt = 0;
    std::int64_t step = 0;
    std::vector<SpanEvent> spans;
};

class SpanReader {
public:
    explicit SpanReader(std::filesystem::path folder);

    /// Appends the steps that became whole; whether there may be more at once.
    bool read(std::size_t bytes, std::vector<RankStep>& whole);

private:
    struct Pending {
        std::uint32_t parts = 0;
        std::uint64_t missing = 0; ///< spans that were announced and are still to come
        std::vector<SpanEvent> spans;
    };
    using Key = std::pair<std::uint32_t, std::int64_t>; ///< attempt, step

    bool openNext();
    void take(const EventView& event, std::vector<RankStep>& whole);

    std::filesystem::path folder_;
    std::optional<FrameFile> file_;
    SegmentInfo segment_;
    std::map<Key, Pending> pending_;
};

} // namespace weft
