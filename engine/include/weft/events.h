// SPDX-License-Identifier: Apache-2.0
#pragma once
// The events that a run reports, as plain 32-byte structs with the same bytes in the ring, in the
// file and in every reader. Names are interned; text follows as payload of a given length. Every
// change of a struct raises `protocolVersion`.

#include <weft/types.h>

#include <cstdint>
#include <string>
#include <type_traits>

namespace weft {

inline constexpr std::uint32_t protocolVersion = 1;

enum class EventKind : std::uint8_t {
    name,       ///< payload: an interned name follows
    run,        ///< a run or attempt begins
    step,       ///< a training step ended
    metric,     ///< one number of a step or an evaluation
    span,       ///< one op, collective, copy or wait on a stream
    memory,     ///< bytes planned or held on a device
    tensor,     ///< a tensor was written to tensors/
    text,       ///< payload: a log message
    checkpoint, ///< payload: path; the checkpoint is complete
    failure,    ///< payload: JSON of Where, problem, remedy
    clock,      ///< offset of this rank's clock to rank 0's
    profile,    ///< sum of one layer's spans over one observed second
    end,        ///< the run ended: reason
    stepSpans,  ///< in a file of spans: count of one worker's step spans that follow
    pause       ///< detail 1: the run pauses after this step; 0: it resumes
};

/// `repeat`: many steps of a captured graph that a device replays at once.
/// `feed`: the next batch is copied to a device while the device computes.
enum class SpanKind : std::uint8_t { compute, communicate, copy, wait, host, repeat, feed };
enum class EndReason : std::uint8_t { done, stopped, failed, lost };
enum class Split : std::uint8_t { train, evaluate };

/// Index of an interned text of one log; 0 is the empty name.
using NameIndex = std::uint32_t; ///< refers to a name that the log has defined

/// First bytes of every event. `time` is in nanoseconds of the rank's steady clock since the start
/// of the log.
struct EventHead {
    EventKind kind;
    std::uint8_t detail = 0;   ///< SpanKind, EndReason, Split or log level, depending on the kind
    std::uint16_t rank = 0;    ///< rank that wrote the event
    std::uint32_t payload = 0; ///< bytes of payload that follow this event
    std::int64_t time = 0;     ///< nanoseconds since the log began, by this rank's clock
};

struct NameEvent {
    EventHead head;
    NameIndex name;            ///< payload: text '\0' unit '\0' name of an equal metric '\0'
    std::uint8_t lessIsBetter; ///< 1 for a metric that falls in training, else 0
    std::uint8_t reserved[11];
};
struct RunEvent {
    EventHead head;
    std::int64_t wallClock; ///< Unix time in nanoseconds; payload: JSON of attempt, first step,
                            ///< devices, version
    std::uint32_t attempt;  ///< number, from 1
    std::uint32_t protocol; ///< version of the log format
};
/// Ends a step, or the evaluation after it (head.detail: Split). The metrics before this event
/// belong to it.
struct StepEvent {
    EventHead head;
    std::int64_t step;
    float seconds; ///< duration of the step
    float epoch;   ///< epochs done so far, with a fraction
};
struct MetricEvent {
    EventHead head;
    std::uint32_t step; ///< counted within the attempt
    NameIndex name;
    double value;
};
/// One span. `site` is a name interned as JSON: layer, instance, device, stream and op.
struct SpanEvent {
    EventHead head;         ///< time: begin
    NameIndex site;         ///< index of the interned name that says what was done
    std::uint32_t step;     ///< counted within the attempt
    std::uint32_t duration; ///< nanoseconds, saturated
    std::uint16_t device;
    std::uint16_t stream;
};
struct StepSpansEvent {
    EventHead head;
    std::int64_t step;
    std::uint32_t count; ///< number of span events that follow
    std::uint32_t reserved;
};
struct MemoryEvent {
    EventHead head;
    std::int64_t bytes;
    NameIndex name; ///< "planned", "arena", "resident"
    std::uint32_t device;
};
struct ProfileEvent {
    EventHead head;
    NameIndex site;      ///< site of the layer as a whole; the name's unit is the device number
    std::uint32_t steps; ///< number of steps that `nanoseconds` covers
    std::uint64_t nanoseconds;
};
struct TextEvent {
    EventHead head; ///< payload: text, path or JSON
    std::int64_t step;
    std::uint64_t reserved;
};
struct ClockEvent {
    EventHead head;
    std::int64_t offset; ///< add to this log's times to get rank 0's
    std::int64_t error;  ///< uncertainty of the offset in nanoseconds
};

inline constexpr std::size_t eventSize = 32;
static_assert(sizeof(NameEvent) == eventSize && sizeof(RunEvent) == eventSize);
static_assert(sizeof(StepEvent) == eventSize && sizeof(MetricEvent) == eventSize);
static_assert(sizeof(SpanEvent) == eventSize && sizeof(MemoryEvent) == eventSize);
static_assert(sizeof(ProfileEvent) == eventSize && sizeof(TextEvent) == eventSize);
static_assert(sizeof(ClockEvent) == eventSize && sizeof(StepSpansEvent) == eventSize);
static_assert(std::is_trivially_copyable_v<NameEvent> && std::is_trivially_copyable_v<SpanEvent>);

} // namespace weft
