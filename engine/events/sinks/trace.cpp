// SPDX-License-Identifier: Apache-2.0
#include "base/files/output_file.h"
#include "base/text/json.h"
#include "events/sinks/sink_list.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace weft {

namespace {

// One trace process per device, from 1 on; steps have their own process.
constexpr std::uint32_t stepsProcess = 0;

std::uint32_t processOf(DeviceId device) { return device.value + 1; }

/// Microseconds with three decimals, as in the trace format.
double microseconds(Nanoseconds time) { return static_cast<double>(time.count) / 1e3; }

class TraceFile {
public:
    explicit TraceFile(const std::filesystem::path& path) : file_(path) {
        file_.write("{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n");
    }

    void add(const Json& event) {
        pending_ += isFirst_ ? "" : ",\n";
        pending_ += jsonText(event);
        isFirst_ = false;
        if (pending_.size() > (std::size_t{1} << 20U)) {
            file_.write(pending_);
            pending_.clear();
        }
    }

    /// Writes the end of the file and puts it in place. `error`: bound of the clock error between
    /// ranks.
    void commit(Nanoseconds error) {
        file_.write(pending_);
        file_.write(fmt::format("\n], \"otherData\": {{\"clock_error_ns\": {}}}}}\n", error.count));
        file_.commit();
    }

private:
    OutputFile file_;
    std::string pending_;
    bool isFirst_ = true;
};

void nameProcess(TraceFile& trace, std::uint32_t process, const std::string& name) {
    trace.add(
        {{"ph", "M"}, {"name", "process_name"}, {"pid", process}, {"args", {{"name", name}}}});
    trace.add({{"ph", "M"},
               {"name", "process_sort_index"},
               {"pid", process},
               {"args", {{"sort_index", process}}}});
}

void nameStream(TraceFile& trace, std::uint32_t process, std::uint32_t stream,
                const std::string& name) {
    trace.add({{"ph", "M"},
               {"name", "thread_name"},
               {"pid", process},
               {"tid", stream},
               {"args", {{"name", name}}}});
    trace.add({{"ph", "M"},
               {"name", "thread_sort_index"},
               {"pid", process},
               {"tid", stream},
               {"args", {{"sort_index", stream}}}});
}

/// Names devices and streams; a stream is named after its work.
void addNames(TraceFile& trace, const Timeline& timeline) {
    std::map<std::pair<DeviceId, std::uint32_t>, std::string> streams;
    std::set<DeviceId> devices;
    for (const TimelineSpan& span : timeline.spans) {
        const SpanKind kind = timeline.siteOf(span).kind;
        const bool isCommunication = kind == SpanKind::communicate || kind == SpanKind::wait;
        std::string& stream = streams[{span.device, span.stream}];
        stream = kind == SpanKind::feed                   ? "feeds"
                 : isCommunication && stream != "compute" ? "communication"
                                                          : "compute";
        devices.insert(span.device);
    }
    nameProcess(trace, stepsProcess, "steps");
    nameStream(trace, stepsProcess, 0, "training steps");
    for (const DeviceId device : devices) {
        const auto known = timeline.devices.find(device);
        nameProcess(trace, processOf(device),
                    known == timeline.devices.end() ? fmt::format("device {}", device.value)
                                                    : known->second);
    }
    for (const auto& [stream, what] : streams) {
        nameStream(trace, processOf(stream.first), stream.second,
                   fmt::format("{} {}", what, stream.second));
    }
}

Json traceEventOf(const Timeline& timeline, const TimelineSpan& span) {
    const SpanSite& site = timeline.siteOf(span);
    Json arguments{{"step", span.step}, {"layer", site.layer}, {"pass", passOf(site)}};
    if (site.flops.count > 0) {
        arguments["flops"] = site.flops.count;
    }
    if (site.bytes.count > 0 || site.kind == SpanKind::communicate) {
        arguments["bytes"] = site.bytes.count;
    }
    if (site.rounds > 1) {
        arguments["rounds"] = site.rounds;
    }
    return {{"ph", "X"},
            {"name", site.layer.empty() ? site.op : site.layer + ": " + site.op},
            {"cat", nameOf(site.kind)},
            {"ts", microseconds(span.begin)},
            {"dur", microseconds(span.duration)},
            {"pid", processOf(span.device)},
            {"tid", span.stream},
            {"args", std::move(arguments)}};
}

void addSteps(TraceFile& trace, const Timeline& timeline) {
    for (const TimelineStep& step : timeline.steps) {
        trace.add({{"ph", "X"},
                   {"name", fmt::format("step {}", step.step)},
                   {"cat", "step"},
                   {"ts", microseconds(step.begin)},
                   {"dur", microseconds(step.duration)},
                   {"pid", stepsProcess},
                   {"tid", 0},
                   {"args", {{"step", step.step}}}});
    }
}

} // namespace

void writeTrace(const Timeline& timeline, const std::filesystem::path& path) {
    TraceFile trace(path);
    addNames(trace, timeline);
    addSteps(trace, timeline);
    for (const TimelineSpan& span : timeline.spans) {
        trace.add(traceEventOf(timeline, span));
    }
    trace.commit(timeline.clockError);
}

namespace sinks {

namespace {

/// trace.json of all steps with recorded spans, written when the run ends.
class Trace final : public RunSink {
public:
    explicit Trace(std::filesystem::path folder) : folder_(std::move(folder)) {}

    void take(const RunReader& /*reader*/, const RunNews& /*news*/) override {}
    void finish() override {
        writeTrace(readTimeline(folder_, 0, std::numeric_limits<std::int64_t>::max()),
                   folder_ / "trace.json");
    }

private:
    std::filesystem::path folder_;
};

} // namespace

void trace(SinkList& list) {
    list.kinds.push_back(
        {{"trace", "writes trace.json for Perfetto at the end of the run"},
         [](const SinkPlace& place) { return std::make_unique<Trace>(place.folder); }});
}

} // namespace sinks

} // namespace weft
