// SPDX-License-Identifier: Apache-2.0
#include "run_writer.h"

#include "base/failure_text.h"
#include "events/activity_page.h"
#include "events/log.h"
#include "events/log_text.h"
#include "events/run_directory.h"
#include <weft/design_file.h>

#include <array>
#include <map>
#include <optional>

namespace weft::test {

namespace {

LogSettings settingsOf(std::uint32_t attempt) {
    LogSettings settings;
    settings.attempt.number = attempt;
    settings.attempt.wallClock = 1'700'000'000'000'000'000 + attempt * 1'000'000'000'000;
    settings.attempt.devices = {"cpu:0", "cpu:1"};
    settings.attempt.version = "1.2";
    settings.collectInterval = std::chrono::milliseconds(1);
    settings.firstSpanSteps = 1'000'000;
    return settings;
}

RunDirectory directoryOf(const std::filesystem::path& folder, std::uint32_t attempt,
                         const Design& design) {
    if (attempt > 1) {
        return RunDirectory::resume(RunDirectory::reserve(folder));
    }
    RunDirectory directory = RunDirectory::createAt(folder);
    saveDesign(design, directory.design());
    return directory;
}

} // namespace

struct RunWriter::State {
    RunDirectory directory;
    EventLog log;
    EventChannel& channel;
    std::optional<ActivityPage> standing;

    State(const std::filesystem::path& folder, std::uint32_t attempt, const Design& design)
        : directory(directoryOf(folder, attempt, design)),
          log(folder, settingsOf(attempt)),
          channel(log.makeChannel("trainer", std::size_t{8} << 20U)) {}

    void put(std::int64_t step, const Numbers& numbers, Split split) {
        for (const auto& [name, value] : numbers) {
            const bool isLoss = name == "loss";
            channel.metric(step, log.intern(name, name == "throughput" ? "examples/s" : "", isLoss),
                           value, split);
        }
    }
};

RunWriter::RunWriter(const std::filesystem::path& folder, std::uint32_t attempt,
                     const Design& design)
    : state_(std::make_unique<State>(folder, attempt, design)) {}
RunWriter::~RunWriter() { state_->log.close(std::chrono::seconds(60)); }

void RunWriter::step(std::int64_t step, const Numbers& numbers, double epoch, float seconds) {
    state_->put(step, numbers, Split::train);
    state_->channel.step(step, seconds, static_cast<float>(epoch));
}

void RunWriter::equate(const std::string& metric, const std::string& other) {
    (void)state_->log.intern(metric, "", false, other);
}

void RunWriter::evaluate(std::int64_t step, const Numbers& numbers) {
    state_->put(step, numbers, Split::evaluate);
    state_->channel.step(step, 0.01F, 0, Split::evaluate);
}

void RunWriter::spans(const Timeline& timeline) {
    std::map<std::int64_t, std::vector<const TimelineSpan*>> steps;
    for (const TimelineSpan& span : timeline.spans) {
        steps[span.step].push_back(&span);
        state_->log.expectSpansOf(span.device);
    }
    for (const auto& [step, spans] : steps) {
        std::map<DeviceId, std::vector<const TimelineSpan*>> devices;
        for (const TimelineSpan* span : spans) {
            devices[span->device].push_back(span);
        }
        for (const auto& [device, mine] : devices) {
            if (!state_->channel.beginSpans(step, mine.size())) {
                continue;
            }
            for (const TimelineSpan* span : mine) {
                const SpanSite& site = timeline.siteOf(*span);
                state_->channel.span(state_->log.intern(siteText(site)), site.kind,
                                     span->begin.count, span->begin.count + span->duration.count,
                                     static_cast<std::uint16_t>(device.value),
                                     static_cast<std::uint16_t>(span->stream));
            }
            state_->channel.endSpans();
        }
    }
}

void RunWriter::sum(const SpanSite& site, DeviceId device, std::int64_t steps,
                    std::int64_t nanoseconds) {
    state_->channel.profile(state_->log.intern(siteText(site), std::to_string(device.value)),
                            static_cast<std::uint32_t>(steps), {nanoseconds});
}

void RunWriter::stand(const SpanSite& site) {
    const std::array tracks{ActivityStream{DeviceId{0}, 0}};
    state_->standing.emplace(state_->directory.folder(), 0, state_->directory.attempt(), tracks);
    for (StreamActivity& place : state_->standing->places()) {
        place.enter(state_->log.intern(siteText(site)), 1);
    }
}

void RunWriter::message(const std::string& text) { state_->channel.text(TextLevel::note, 0, text); }
void RunWriter::pause(bool isPaused, std::int64_t step) { state_->channel.pause(isPaused, step); }
void RunWriter::checkpoint(std::int64_t step, const std::string& path) {
    state_->channel.checkpoint(step, path);
}
void RunWriter::tensor(std::int64_t step, const std::string& path) {
    state_->channel.tensor(step, path);
}
void RunWriter::fail(const Error& error, std::int64_t step) {
    state_->channel.failure(step, failureText(error));
    state_->channel.end(EndReason::failed, step, error.what());
}
void RunWriter::finish(std::int64_t step) { state_->channel.end(EndReason::done, step, ""); }
void RunWriter::flush() { state_->log.flush(std::chrono::seconds(60)); }

Timeline sampleStep(std::int64_t step, std::int64_t begin, int devices, int layers) {
    Timeline timeline;
    for (const Pass pass : {Pass::forward, Pass::backward}) {
        for (int i = 0; i < layers; ++i) {
            timeline.sites.push_back({.origin = {LayerId{static_cast<std::uint32_t>(i + 1)}, 0},
                                      .pass = pass,
                                      .layer = "layer" + std::to_string(i + 1),
                                      .op = "dense"});
        }
    }
    timeline.sites.push_back({.origin = {LayerId{1}, 0},
                              .pass = Pass::backward,
                              .kind = SpanKind::communicate,
                              .layer = "layer1",
                              .op = "all-reduce of layer1.weight",
                              .bytes = {4000}});
    for (int device = 0; device < devices; ++device) {
        const DeviceId id{static_cast<std::uint32_t>(device)};
        timeline.devices[id] = "cpu:" + std::to_string(device);
        for (int i = 0; i < 2 * layers; ++i) {
            timeline.spans.push_back(
                {id, 0, static_cast<std::uint32_t>(i), step, {begin + 1000 * i}, {1000}});
        }
        timeline.spans.push_back({id,
                                  1,
                                  static_cast<std::uint32_t>(2 * layers),
                                  step,
                                  {begin + 1000 * (2 * layers) - 500},
                                  {1000}});
    }
    sortSpans(timeline);
    return timeline;
}

Timeline lateStep() {
    Timeline timeline;
    const SpanSite sum{
        .kind = SpanKind::communicate, .layer = "fc", .op = "sum (all-reduce)", .bytes = {32'800}};
    SpanSite waits = sum;
    waits.kind = SpanKind::wait;
    waits.bytes = {};
    timeline.sites = {
        {.layer = "fast", .op = "dense"}, {.layer = "slow", .op = "dense"}, sum, waits};
    timeline.devices = {{DeviceId{0}, "cpu:0"}, {DeviceId{1}, "cpu:1"}};
    timeline.spans = {{DeviceId{0}, 0, 0, 1, {0}, {3000}},
                      {DeviceId{1}, 0, 1, 1, {0}, {10'000}},
                      {DeviceId{0}, 1, 3, 1, {3000}, {7000}},
                      {DeviceId{0}, 1, 2, 1, {10'000}, {1000}},
                      {DeviceId{1}, 1, 2, 1, {10'000}, {1000}}};
    sortSpans(timeline);
    return timeline;
}

void writeStep(const std::filesystem::path& folder, const Timeline& step, const OtherClock& clock) {
    const int ranks = clock.ahead == 0 ? 1 : 2;
    // The begin of the step, by rank 0's clock; logs begin when they do.
    const std::int64_t begin = steadyNanoseconds();
    std::int64_t firstBegin = 0;
    for (int rank = 0; rank < ranks; ++rank) {
        LogSettings settings = settingsOf(1);
        settings.rank = rank;
        settings.attempt.ranks = ranks;
        EventLog log(folder, settings);
        EventChannel& channel = log.makeChannel("trainer", 1 << 16);
        const std::int64_t ahead = rank == 0 ? 0 : clock.ahead;
        if (rank == 0) {
            firstBegin = log.clockBegin();
        } else {
            channel.clock({log.clockBegin() - firstBegin - ahead + clock.wrong}, {clock.error});
        }
        for (const auto& [device, name] : step.devices) {
            if (ranks == 2 && device.value != static_cast<std::uint32_t>(rank)) {
                continue;
            }
            log.expectSpansOf(device);
            std::vector<const TimelineSpan*> mine;
            for (const TimelineSpan& span : step.spans) {
                span.device == device ? mine.push_back(&span) : void();
            }
            if (!channel.beginSpans(1, mine.size())) {
                continue;
            }
            for (const TimelineSpan* span : mine) {
                const std::int64_t at = begin + ahead + span->begin.count;
                channel.span(log.intern(siteText(step.siteOf(*span))), step.siteOf(*span).kind, at,
                             at + span->duration.count, static_cast<std::uint16_t>(device.value),
                             static_cast<std::uint16_t>(span->stream));
            }
            channel.endSpans();
        }
        log.close(std::chrono::seconds(60));
    }
}

} // namespace weft::test
