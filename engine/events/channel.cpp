// SPDX-License-Identifier: Apache-2.0
#include "events/channel.h"

#include "base/process/waiting.h"
#include "events/frame.h"
#include <weft/error.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>
#include <utility>

namespace weft {

namespace {

constexpr std::size_t lastingCapacity = std::size_t{256} << 10U;
constexpr std::size_t longestText = std::size_t{16} << 10U;
constexpr std::chrono::seconds putLimit{60};

template <class Event>
std::span<const std::byte> bytesOf(const Event& event) {
    return std::as_bytes(std::span(&event, 1));
}

std::uint32_t narrowStep(std::int64_t step) {
    return static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(step, 0, std::numeric_limits<std::uint32_t>::max()));
}

} // namespace

std::int64_t steadyNanoseconds() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

EventChannel::EventChannel(std::string name, std::uint16_t rank, std::int64_t clockBegin,
                           std::size_t spanBytes)
    : name_(std::move(name)),
      rank_(rank),
      clockBegin_(clockBegin),

      lasting_(lastingCapacity),
      spans_(spanBytes) {}

std::int64_t EventChannel::now() const { return steadyNanoseconds() - clockBegin_; }

EventHead EventChannel::head(EventKind kind, std::uint8_t detail, std::size_t payload) const {
    return {kind, detail, rank_, static_cast<std::uint32_t>(payload), now()};
}

template <class Event>
void EventChannel::put(const Event& event, std::string_view payload) {
    const std::size_t padded = paddedSize(payload.size());
    if (!lasting_.hasRoomFor(eventSize + padded)) {
        // The writer drains the ring 25 times a second and keeps minutes of events; at this point
        // the run was already asked to pause.
        const Deadline deadline(putLimit);
        while (!lasting_.hasRoomFor(eventSize + padded)) {
            if (deadline.hasPassed()) {
                throwTimeout("space in the queue of run events", putLimit,
                             "free space on the disk of the run's folder, then resume the run");
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    constexpr std::uint64_t zeros = 0;
    lasting_.append(bytesOf(event));
    lasting_.append(std::as_bytes(std::span(payload)));
    lasting_.append(bytesOf(zeros).first(padded - payload.size()));
    lasting_.publish();
}

void EventChannel::metric(std::int64_t step, NameIndex name, double value, Split split) {
    put(MetricEvent{head(EventKind::metric, static_cast<std::uint8_t>(split)), narrowStep(step),
                    name, value});
}

void EventChannel::step(std::int64_t step, float seconds, float epoch, Split split) {
    put(StepEvent{head(EventKind::step, static_cast<std::uint8_t>(split)), step, seconds, epoch});
}

void EventChannel::memory(std::uint32_t device, NameIndex name, Bytes bytes) {
    put(MemoryEvent{head(EventKind::memory, 0), bytes.count, name, device});
}

void EventChannel::profile(NameIndex site, std::uint32_t steps, Nanoseconds time) {
    put(ProfileEvent{head(EventKind::profile, 0), site, steps,
                     static_cast<std::uint64_t>(time.count)});
}

void EventChannel::clock(Nanoseconds offset, Nanoseconds error) {
    put(ClockEvent{head(EventKind::clock, 0), offset.count, error.count});
}

void EventChannel::putText(EventKind kind, std::uint8_t detail, std::int64_t step,
                           std::string_view text) {
    text = text.substr(0, longestText);
    put(TextEvent{head(kind, detail, text.size()), step, 0}, text);
}

void EventChannel::text(TextLevel level, std::int64_t step, std::string_view text) {
    putText(EventKind::text, static_cast<std::uint8_t>(level), step, text);
}
void EventChannel::checkpoint(std::int64_t step, std::string_view path) {
    putText(EventKind::checkpoint, 0, step, path);
}
void EventChannel::tensor(std::int64_t step, std::string_view path) {
    putText(EventKind::tensor, 0, step, path);
}
void EventChannel::failure(std::int64_t step, std::string_view text) {
    putText(EventKind::failure, 0, step, text);
}
void EventChannel::pause(bool isPaused, std::int64_t step) {
    putText(EventKind::pause, isPaused ? 1 : 0, step, {});
}
void EventChannel::end(EndReason reason, std::int64_t step, std::string_view text) {
    putText(EventKind::end, static_cast<std::uint8_t>(reason), step, text);
}

bool EventChannel::beginSpans(std::int64_t step, std::size_t count) {
    if (!spans_.hasRoomFor(eventSize * (count + 1))) {
        droppedSteps_.fetch_add(1, std::memory_order_relaxed);
        return false;
    }
    spanStep_ = narrowStep(step);
    const StepSpansEvent begin{head(EventKind::stepSpans, 0), step,
                               static_cast<std::uint32_t>(count), 0};
    spans_.append(bytesOf(begin));
    return true;
}

void EventChannel::span(NameIndex site, SpanKind kind, std::int64_t begin, std::int64_t end,
                        std::uint16_t device, std::uint16_t stream) {
    const std::int64_t duration =
        std::clamp<std::int64_t>(end - begin, 0, std::numeric_limits<std::uint32_t>::max());
    const SpanEvent event{
        {EventKind::span, static_cast<std::uint8_t>(kind), rank_, 0, begin - clockBegin_},
        site,
        spanStep_,
        static_cast<std::uint32_t>(duration),
        device,
        stream};
    spans_.append(bytesOf(event));
}

void EventChannel::endSpans() { spans_.publish(); }

} // namespace weft
