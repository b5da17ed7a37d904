// SPDX-License-Identifier: Apache-2.0
#pragma once
// Turns the times of a worker's steps into events: spans of the recorded steps, and sums per layer
// once a second for all steps. Made when the program is prepared; recording allocates nothing.

#include "events/channel.h"
#include "events/spacing.h"
#include <weft/timeline.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weft {

class EventLog;

/// Steady clock times in nanoseconds.
struct SpanTime {
    std::int64_t begin = 0; ///< steady clock, nanoseconds
    std::int64_t end = 0;   ///< steady clock, nanoseconds
    std::int64_t met = 0;   ///< for a collective: end of the wait for other devices
};

/// A timed position of a program and its stream. A collective is recorded as up to two spans:
/// waiting and communicating.
struct TimedSite {
    SpanSite site;
    std::uint32_t stream = 0;
};

class SpanRecorder {
public:
    /// Interns the sites. The channel belongs to the recording thread and outlives the recorder.
    SpanRecorder(EventLog& log, EventChannel& channel, DeviceId device,
                 std::span<const TimedSite> sites);

    /// Records the times of one step, in the order of the sites. Empty intervals were not run.
    void record(std::int64_t step, std::span<const SpanTime> times); ///< in the order of the sites
    /// Returns the interned names of the sites, in order.
    [[nodiscard]] std::vector<NameIndex> names() const; ///< one per site, in order
    /// Puts the sums of the current second.
    void flush(); ///< puts the sums since the last flush

private:
    /// What the spans of a site have in common over all steps.
    struct InternedSpan {
        NameIndex name; ///< in the rank's log
        SpanKind kind;
        std::optional<std::uint32_t> sum; ///< index in sums_; none: the span covers several layers
    };
    struct Site {
        InternedSpan span; ///< the work itself
        std::uint16_t stream;
        std::optional<InternedSpan> wait; ///< for a collective: the wait for other devices
    };
    struct Interval {
        std::int64_t begin = 0;
        std::int64_t end = 0;
        [[nodiscard]] std::int64_t length() const { return end - begin; }
    };
    struct Sum {
        NameIndex name;               ///< layer, pass and kind in the rank's log
        std::int64_t nanoseconds = 0; ///< since the last flush
    };

    /// Interns the name of a site's spans and finds the sum of their times. Ops of a layer with the
    /// same pass and kind share one sum. `sums`: index of each sum, keyed by its name.
    InternedSpan internSpan(EventLog& log, DeviceId device, const SpanSite& site,
                            std::map<NameIndex, std::uint32_t>& sums);
    /// Calls `take(span, interval)` for each span of the site that took time.
    template <class Take>
    static void split(const Site& site, const SpanTime& time, const Take& take);

    EventChannel& channel_;
    SpanSpacing& spacing_;
    std::uint16_t device_;
    std::vector<Site> sites_;       ///< timed positions of the program
    std::vector<Sum> sums_;         ///< times per layer, pass and kind
    std::uint32_t stepsSummed_ = 0; ///< since the last flush
    std::int64_t summedSince_ = 0;  ///< log time of the last flush
};

} // namespace weft
