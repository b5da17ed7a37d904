// SPDX-License-Identifier: Apache-2.0
#include "events/log.h"

#include "base/process/threads.h"
#include "base/process/wall_clock.h"
#include "events/frame.h"
#include "events/log_text.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>

namespace weft {

namespace fs = std::filesystem;

namespace {

template <class Event>
void appendEvent(std::vector<std::byte>& out, Event event, std::string_view payload) {
    event.head.payload = static_cast<std::uint32_t>(payload.size());
    const auto bytes = std::as_bytes(std::span(&event, 1));
    out.insert(out.end(), bytes.begin(), bytes.end());
    const auto text = std::as_bytes(std::span(payload));
    out.insert(out.end(), text.begin(), text.end());
    out.resize(out.size() + paddedSize(payload.size()) - payload.size());
}

SpanSegments segmentsFor(const fs::path& folder, const LogSettings& settings) {
    const int ranks = std::max(1, settings.attempt.ranks);
    return {spansPath(folder, settings.rank), settings.attempt.number,
            SpanSegments::Limits{static_cast<std::uint64_t>(settings.spanBytes / ranks),
                                 settings.firstSpanSteps + 1}}; // steps count from 1
}

} // namespace

fs::path logPath(const fs::path& folder, int rank) {
    return folder / fmt::format("events.{}.weftlog", rank);
}
fs::path spansPath(const fs::path& folder, int rank) {
    return folder / fmt::format("spans.{}", rank);
}

EventLog::EventLog(const fs::path& folder, LogSettings settings)
    : settings_(std::move(settings)),
      clockBegin_(steadyNanoseconds()),
      spacing_(settings_.attempt.stepsBefore, settings_.firstSpanSteps,
               settings_.spanBytesPerSecond / std::max(1, settings_.attempt.ranks)),
      disk_(std::make_shared<LogDisk>(logPath(folder, settings_.rank),
                                      segmentsFor(folder, settings_), settings_.syncEvery,
                                      settings_.writeSome)) {
    if (settings_.isNewAttempt) {
        putRunEvent();
    }
    diskThread_ = std::thread([disk = disk_] {
        nameThisThread("weft-log");
        disk->run();
    });
    collector_ = startThread("weft-events", [this](const std::stop_token& stop) { run(stop); });
}

EventLog::~EventLog() {
    try {
        close(std::chrono::seconds(5));
    } catch (const std::exception&) {
        // Nobody is left to report it to; callers that need the error call `close` first.
    }
}

void EventLog::putRunEvent() {
    RunEvent event{};
    event.head.kind = EventKind::run;
    event.head.rank = static_cast<std::uint16_t>(settings_.rank);
    event.wallClock =
        settings_.attempt.wallClock != 0 ? settings_.attempt.wallClock : unixNanoseconds();
    event.attempt = settings_.attempt.number;
    event.protocol = protocolVersion;
    // Name indices restart with each attempt; readers begin a new table at this event.
    appendEvent(newNames_, event, attemptText(settings_.attempt));
}

EventChannel& EventLog::makeChannel(std::string name, std::size_t spanBytes) {
    auto channel = std::make_unique<EventChannel>(
        std::move(name), static_cast<std::uint16_t>(settings_.rank), clockBegin_, spanBytes);
    const std::lock_guard lock(mutex_);
    channels_.push_back(std::move(channel));
    return *channels_.back();
}

NameIndex EventLog::intern(std::string_view text, std::string_view unit, bool lessIsBetter,
                           std::string_view equals) {
    const std::lock_guard lock(mutex_);
    const auto [entry, isNew] = names_.try_emplace({std::string(text), std::string(unit)},
                                                   static_cast<NameIndex>(names_.size() + 1));
    if (isNew) {
        NameEvent event{};
        event.head.kind = EventKind::name;
        event.head.rank = static_cast<std::uint16_t>(settings_.rank);
        event.head.time = steadyNanoseconds() - clockBegin_;
        event.name = entry->second;
        event.lessIsBetter = lessIsBetter ? 1 : 0;
        std::string payload(text);
        payload += '\0';
        payload += unit;
        payload += '\0';
        if (!equals.empty()) {
            payload += equals;
            payload += '\0';
        }
        appendEvent(newNames_, event, payload);
    }
    return entry->second;
}

void EventLog::expectSpansOf(DeviceId device) {
    const std::lock_guard lock(mutex_);
    workers_.insert(device);
}

LogState EventLog::state() const {
    const std::int64_t since = disk_->stalledSince();
    if (since == 0) {
        return LogState::flowing;
    }
    const bool isFull = disk_->queuedBytes() >= settings_.reserveBytes / 4 * 3;
    const bool isLate = steadyNanoseconds() - since >= settings_.reserveTime.count();
    return isFull || isLate ? LogState::exhausted : LogState::stalled;
}

void EventLog::collect() {
    spacing_.update();
    disk_->checkForStall(steadyNanoseconds());
    if (disk_->queuedBytes() >= settings_.reserveBytes) {
        return;
    }
    LogDisk::Batch batch = disk_->emptyBatch();
    events_.clear();
    {
        const std::lock_guard lock(mutex_);
        batch.spacing = spacing_.spacing();
        batch.parts = static_cast<std::uint32_t>(workers_.size());
        // Spans are drained first, so that they never reach the disk before events put earlier.
        for (const auto& channel : channels_) {
            channel->spans().drain(batch.spans);
        }
        for (const auto& channel : channels_) {
            channel->lasting().drain(events_);
        }
        // Names precede the events that use them, but are taken later because events may add names.
        appendFrames(batch.frames, newNames_);
        newNames_.clear();
    }
    appendFrames(batch.frames, events_);
    if (disk_->stalledSince() != 0) {
        batch.spans.clear();
    }
    if (!batch.frames.empty() || !batch.spans.empty()) {
        disk_->enqueue(std::move(batch));
    }
}

void EventLog::run(const std::stop_token& stop) {
    std::unique_lock lock(collecting_);
    while (!stop.stop_requested()) {
        collect();
        wake_.wait_for(lock, stop, settings_.collectInterval, [] { return false; });
    }
    collect();
}

void EventLog::flush(std::chrono::nanoseconds limit) {
    {
        const std::lock_guard lock(collecting_);
        collect();
    }
    disk_->flush(limit);
}

void EventLog::close(std::chrono::nanoseconds limit) {
    if (!diskThread_.joinable()) {
        return;
    }
    collector_.request_stop();
    collector_.join();
    disk_->finish();
    std::string problem;
    try {
        disk_->flush(limit);
    } catch (const Error&) {
        problem = disk_->stallReason();
        disk_->abandon();
    }
    if (problem.empty()) {
        diskThread_.join();
        return;
    }
    // The thread may block in the system as long as the disk does; it shares ownership of its data.
    diskThread_.detach();
    throw Error(ErrorCode::file, {}, fmt::format("the end of the log was not written: {}", problem),
                "free space on the disk; the events written before are intact");
}

} // namespace weft
