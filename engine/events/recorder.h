// SPDX-License-Identifier: Apache-2.0
#pragma once
// Turns the times of one worker's steps into events: spans of the steps that are kept, and for
// every step the sums per layer, once a second. Made when the program is prepared; recording
// allocates nothing.

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

/// Nanoseconds of the steady clock.
struct SpanTime {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t met = 0; ///< of a collective: until then it waited for other devices to come to it
};

/// One timed place of a program: what it is, and on which stream it runs. A collective's time is
/// told as two spans, of which either may be missing: it waited, and it communicated.
struct TimedSite {
    SpanSite site;
    std::uint32_t stream = 0;
};

class SpanRecorder {
public:
    /// Interns the sites. The channel belongs to the thread that records; it outlives the recorder.
    SpanRecorder(EventLog& log, EventChannel& channel, DeviceId device,
                 std::span<const TimedSite> sites);

    /// The times of one step, as the sites stand. A time that does not end after it begins was not
    /// run.
    void record(std::int64_t step, std::span<const SpanTime> times);
    /// As the log knows the sites, in their order.
    [[nodiscard]] std::vector<NameIndex> names() const;
    /// Puts the sums that are not a second old yet.
    void flush();

private:
    struct Part {
        NameIndex name;
        SpanKind kind;
        std::optional<std::uint32_t> sum; ///< none: what is of several layers
    };
    struct Site {
        Part part;
        std::uint16_t stream;
        std::optional<Part> wait; ///< of a collective
    };
    struct Interval {
        std::int64_t begin = 0;
        std::int64_t end = 0;
        [[nodiscard]] std::int64_t length() const { return end - begin; }
    };
    struct Sum {
        NameIndex name;
        std::int64_t nanoseconds = 0;
    };

    /// Sums are over all ops of a layer that share pass and kind.
    Part partOf(EventLog& log, DeviceId device, const SpanSite& site,
                std::map<NameIndex, std::uint32_t>& sums);
    /// Calls `take(part, interval)` for what took time.
    template <class Take>
    static void split(const Site& site, const SpanTime& time, const Take& take);

    EventChannel& channel_;
    SpanSpacing& spacing_;
    std::uint16_t device_;
    std::vector<Site> sites_;
    std::vector<Sum> sums_;
    std::uint32_t stepsSummed_ = 0;
    std::int64_t summedSince_ = 0;
};

} // namespace weft
