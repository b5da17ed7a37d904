// SPDX-License-Identifier: Apache-2.0
#pragma once
// When work ran on each stream of each device: predicted by the simulator or measured in a run, in
// one type that one view draws. Times are of one clock (rank 0's); spans are sorted by begin.

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
[[nodiscard]] bool isWork(SpanKind kind); ///< not communication, waiting or feeding
/// Returns the mean time per round.
[[nodiscard]] Nanoseconds timePerRound(std::int64_t rounds, Nanoseconds together);
/// Returns "50 iterations, 0.12 ms each"; empty for a single round.
[[nodiscard]] std::string roundsText(std::int64_t rounds, Nanoseconds together);

/// Describes what a span did; many spans share one site.
struct SpanSite {
    Origin origin = {};
    Pass pass = Pass::forward;
    SpanKind kind = SpanKind::compute;
    std::string layer = {}; ///< as shown to the user: "block[2]/conv1"
    std::string op = {}; ///< "conv2d_dw", "all-reduce of conv1.weight", "12 kernels, conv1: relu to
                         ///< pool5: max_pool2d"
    Flops flops = {};    ///< operations of the work
    Bytes bytes = {};    ///< read and written, or sent by the device that sends most
    std::int64_t rounds = 1; ///< iterations of a repeat, all within one span
    bool operator==(const SpanSite&) const = default;
};

/// Returns the name of the pass; empty if the kernels of the site may belong to several.
[[nodiscard]] std::string_view passOf(const SpanSite& site);

struct TimelineSpan {
    DeviceId device;
    std::uint32_t stream = 0; ///< index of the stream on its device
    std::uint32_t site = 0;   ///< position in the timeline's `sites`
    std::int64_t step = 0;    ///< number of the training step
    Nanoseconds begin = {};
    Nanoseconds duration = {};
    bool operator==(const TimelineSpan&) const = default;
};

/// A whole training step, from fetching its batch to its last result.
struct TimelineStep {
    std::int64_t step = 0;
    Nanoseconds begin = {};
    Nanoseconds duration = {};
    bool operator==(const TimelineStep&) const = default;
};

struct Timeline {
    std::vector<SpanSite> sites; ///< what spans refer to by index
    std::vector<TimelineSpan> spans;
    std::map<DeviceId, std::string> devices = {}; ///< names, if known
    std::vector<TimelineStep> steps = {};         ///< all measured steps, also those without spans
    Nanoseconds clockError = {};                  ///< bound of the error between times of ranks
    bool operator==(const Timeline&) const = default;

    [[nodiscard]] const SpanSite& siteOf(const TimelineSpan& span) const {
        return sites[span.site];
    }
    [[nodiscard]] Nanoseconds length() const; ///< time from the first begin to the last end
};

/// Sorts the spans by begin, then device and stream.
void sortSpans(Timeline& timeline);

/// Times of one device in one step. Streams overlap, so each time is a union over them. `compute`:
/// any stream computes, copies or works on the host. `communicate`: any communicates. `overlapped`:
/// both. `waiting`: neither, but one waits for other devices. `idle`: none of these, between the
/// step's first begin and last end on any device.
struct StepTotals {
    std::int64_t step = 0;
    DeviceId device;
    Nanoseconds length = {};      ///< from the first begin to the last end on any device
    Nanoseconds compute = {};     ///< any stream computes, copies or works on the host
    Nanoseconds communicate = {}; ///< any stream communicates
    Nanoseconds overlapped = {};  ///< computes and communicates at once
    Nanoseconds waiting = {};     ///< only waits for other devices
    Nanoseconds idle = {};        ///< none of these
    bool operator==(const StepTotals&) const = default;
};
/// Sorted by step, then device.
[[nodiscard]] std::vector<StepTotals> totalsOf(const Timeline& timeline);

/// Prints a line per span: step, device, stream, begin, duration, layer, pass, op.
[[nodiscard]] std::string print(const Timeline& timeline);
/// Throws Error{bug} if spans of one stream overlap, are out of order or name no site.
void verify(const Timeline& timeline);

} // namespace weft
