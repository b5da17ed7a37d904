// SPDX-License-Identifier: Apache-2.0
#include "samples.h"

#include <iterator>
#include <utility>

namespace weft::test {

LogSettings quickSettings(std::uint32_t attempt, std::int64_t stepsBefore) {
    LogSettings settings;
    settings.attempt.number = attempt;
    settings.attempt.wallClock = 1'700'000'000'000'000'000 + attempt;
    settings.attempt.stepsBefore = stepsBefore;
    settings.attempt.devices = {"cpu:0", "cpu:1"};
    settings.attempt.version = "1.2";
    settings.collectInterval = std::chrono::milliseconds(1);
    return settings;
}

void writeSteps(const std::filesystem::path& folder, LogSettings settings, std::int64_t first,
                std::int64_t last, std::optional<EndReason> end) {
    EventLog log(folder, std::move(settings));
    EventChannel& channel = log.makeChannel("trainer");
    const NameIndex loss = log.intern("loss", "nats", true);
    for (std::int64_t step = first; step <= last; ++step) {
        channel.metric(step, loss, 1.0 / static_cast<double>(step));
        channel.step(step, 0.5F, static_cast<float>(step) / 10);
    }
    if (end) {
        channel.end(*end, last, "");
    }
    log.close(std::chrono::seconds(60));
}

namespace {

template <class T>
void append(std::vector<T>& to, std::vector<T>& from) {
    std::move(from.begin(), from.end(), std::back_inserter(to));
}

} // namespace

Everything readAll(const std::filesystem::path& folder, bool withSpans) {
    Everything all;
    RunReader reader(folder, withSpans);
    bool isMore = true;
    while (isMore) {
        RunNews news = reader.read();
        isMore = news.isMore;
        append(all.news.attempts, news.attempts);
        append(all.news.steps, news.steps);
        append(all.news.messages, news.messages);
        append(all.news.checkpoints, news.checkpoints);
        append(all.news.tensors, news.tensors);
        append(all.news.failures, news.failures);
        append(all.news.memory, news.memory);
        append(all.news.profile, news.profile);
        append(all.news.ends, news.ends);
        if (!news.timeline.spans.empty()) {
            all.news.timeline = std::move(news.timeline);
        }
    }
    all.metrics = reader.metrics();
    all.damaged = reader.damagedBytes();
    return all;
}

} // namespace weft::test
