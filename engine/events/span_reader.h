// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads the spans of one rank, segment by segment from the oldest, also while they grow. Returns
// steps when all their parts have arrived. If segments are thinned meanwhile, steps may be lost but
// never mixed up.

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

    /// Appends the steps that became complete; returns true if more can be read at once.
    bool read(std::size_t bytes, std::vector<RankStep>& whole); ///< true: call again

private:
    struct Pending {
        std::uint32_t parts = 0;      ///< parts of the step that have arrived
        std::uint64_t missing = 0;    ///< announced spans that have not arrived yet
        std::vector<SpanEvent> spans; ///< spans that have arrived
    };
    using Key = std::pair<std::uint32_t, std::int64_t>; ///< attempt, step

    bool openNext(); ///< next segment; false: none yet
    void take(const EventView& event, std::vector<RankStep>& whole);

    std::filesystem::path folder_;   ///< folder of the rank's segments
    std::optional<FrameFile> file_;  ///< the open segment
    SegmentInfo segment_;            ///< the open segment
    std::map<Key, Pending> pending_; ///< incomplete steps
};

} // namespace weft
