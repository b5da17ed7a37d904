// SPDX-License-Identifier: Apache-2.0
#pragma once
// When what ran on which stream of which device: predicted by the simulator or measured from a
// run's spans, one type that one view draws. Times are of one clock (rank 0's), spans are sorted by
// begin.

#include <weft/events.h>
#include <weft/types.h>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

[[nodiscard]] std::string_view nameOf(SpanKind kind);
/// True for work of the device itself, as opposed to communication, waiting or feeding.
[[nodiscard]] bool isWork(SpanKind kind);
/// What each of them took.
[[nodiscard]] Nanoseconds roundTime(std::int64_t rounds, Nanoseconds together);
/// "50 iterations, 0.12 ms each"; empty for what has but one.
[[nodiscard]] std::string roundsText(std::int64_t rounds, Nanoseconds together);

/// What a span is of; many spans share one.
struct SpanSite {
    Origin origin = {};
    Pass pass = Pass::forward;
    SpanKind kind = SpanKind::compute;
    std::string layer = {}; ///< as the user reads it: "block[2]/conv1"
    std::string op = {}; ///< "conv2d_dw", "all-reduce of conv1.weight", "12 kernels, conv1: relu to
                         ///< pool5: max_pool2d"
    Flops flops = {};
    Bytes bytes = {};        ///< read and written, or sent by the device that sends most
    std::int64_t rounds = 1; ///< of a repeat, whose rounds are all within a span
    bool operator==(const SpanSite&) const = default;
};

/// Empty: its kernels may be of several.
[[nodiscard]] std::string_view passOf(const SpanSite& site);

struct TimelineSpan {
    DeviceId device;
    std::uint32_t stream = 0;
    std::uint32_t site = 0; ///< position in the timeline's `sites`
    std::int64_t step = 0;
    Nanoseconds begin = {};
    Nanoseconds duration = {};
    bool operator==(const TimelineSpan&) const = default;
};

/// A training step as a whole, from the fetching of its batch to its last number.
struct TimelineStep {
    std::int64_t step = 0;
    Nanoseconds begin = {};
    Nanoseconds duration = {};
    bool operator==(const TimelineStep&) const = default;
};

struct Timeline {
    std::vector<SpanSite> sites;
    std::vector<TimelineSpan> spans;
    std::map<DeviceId, std::string> devices = {}; ///< names, where they are known
    /// All that were measured, also those whose spans were not kept; one after the other.
    std::vector<TimelineStep> steps = {};
    /// What spans on different ranks may stand too early or too late beside each other, at most.
    Nanoseconds clockError = {};
    bool operator==(const Timeline&) const = default;

    [[nodiscard]] const SpanSite& siteOf(const TimelineSpan& span) const {
        return sites[span.site];
    }
    /// From the first begin to the last end.
    [[nodiscard]] Nanoseconds length() const;
};

/// Sorts the spans by begin, then device and stream.
void sortSpans(Timeline& timeline);

/// How one device spent one step. The kinds can overlap across streams, so each is a union:
/// `compute` where any stream computed (or copied, or worked on the host), `communicate` where any
/// communicated, `overlapped` where both, `waiting` where neither but one waited for other devices,
/// `idle` where nothing of that, from the step's first begin on any device to its last end.
struct StepTotals {
    std::int64_t step = 0;
    DeviceId device;
    Nanoseconds length = {};
    Nanoseconds compute = {};
    Nanoseconds communicate = {};
    Nanoseconds overlapped = {};
    Nanoseconds waiting = {};
    Nanoseconds idle = {};
    bool operator==(const StepTotals&) const = default;
};
/// By step, then device.
[[nodiscard]] std::vector<StepTotals> totalsOf(const Timeline& timeline);

/// A line per span: step, device, stream, begin, duration, layer, pass, op.
[[nodiscard]] std::string print(const Timeline& timeline);
/// Throws Error{bug} where spans of one stream overlap, lie out of order or name no site.
void verify(const Timeline& timeline);

} // namespace weft
