// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where one thread puts its events, without allocation, string building or locks. Events that must
// not be lost have a ring of their own and wait, with a timeout, when it is full. The spans of a
// step are put whole or dropped whole.

#include "events/ring.h"
#include <weft/events.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace weft {

/// Level of a text event.
enum class TextLevel : std::uint8_t { note, warning, error }; ///< level of a text event

class EventChannel {
public:
    /// `clockBegin`: steady clock time in nanoseconds at which the log's time is 0.
    EventChannel(std::string name, std::uint16_t rank, std::int64_t clockBegin,
                 std::size_t spanBytes);

    void metric(std::int64_t step, NameIndex name, double value, Split split = Split::train);
    /// Ends the step, or the evaluation after it; the metrics put before belong to it.
    void step(std::int64_t step, float seconds, float epoch, Split split = Split::train);
    void memory(std::uint32_t device, NameIndex name, Bytes bytes); ///< memory of a device
    void profile(NameIndex site, std::uint32_t steps, Nanoseconds time);
    void clock(Nanoseconds offset, Nanoseconds error); ///< measured offset to rank 0's clock
    /// Texts longer than 16 KiB are truncated.
    void text(TextLevel level, std::int64_t step, std::string_view text);
    void checkpoint(std::int64_t step, std::string_view path);
    void tensor(std::int64_t step, std::string_view path); ///< `path`: file of a recorded tensor
    /// `text`: see failureText.
    void failure(std::int64_t step, std::string_view text); ///< a line of JSON
    /// Reports that the run pauses after this step, or resumes.
    void pause(bool isPaused, std::int64_t step);
    void end(EndReason reason, std::int64_t step, std::string_view text); ///< end of the run

    /// Reserves space for the spans of one step, all or none. If true, call span() `count` times
    /// and then endSpans().
    [[nodiscard]] bool beginSpans(std::int64_t step, std::size_t count);
    void span(NameIndex site, SpanKind kind, std::int64_t begin, std::int64_t end,
              std::uint16_t device, std::uint16_t stream);
    void endSpans(); ///< publishes the spans

    [[nodiscard]] const std::string& name() const { return name_; }
    /// Nanoseconds since the start of the log.
    [[nodiscard]] std::int64_t now() const; ///< nanoseconds since the start of the log
    [[nodiscard]] std::uint64_t droppedSteps() const {
        return droppedSteps_.load(std::memory_order_relaxed);
    }

    /// For the log, which drains the rings.
    [[nodiscard]] EventRing& lasting() { return lasting_; } ///< events that must not be lost
    [[nodiscard]] EventRing& spans() { return spans_; }     ///< spans, which may be dropped

private:
    template <class Event>
    void put(const Event& event, std::string_view payload = {});
    [[nodiscard]] EventHead head(EventKind kind, std::uint8_t detail,
                                 std::size_t payload = 0) const;
    void putText(EventKind kind, std::uint8_t detail, std::int64_t step, std::string_view text);

    std::string name_;
    std::uint16_t rank_;         ///< rank that logs
    std::int64_t clockBegin_;    ///< steady clock time at which the log's time is 0
    EventRing lasting_;          ///< events that must not be lost
    EventRing spans_;            ///< spans, which may be dropped
    std::uint32_t spanStep_ = 0; ///< step of the spans after beginSpans
    std::atomic<std::uint64_t> droppedSteps_ = 0; ///< number of steps whose spans were dropped
};

/// Steady clock time in nanoseconds, with which all events are timed.
[[nodiscard]] std::int64_t steadyNanoseconds();

} // namespace weft
