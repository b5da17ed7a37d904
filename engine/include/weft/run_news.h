// SPDX-License-Identifier: Apache-2.0
#pragma once
// The records that a reader returns from the files of a run's folder.

#include <weft/error.h>
#include <weft/events.h>
#include <weft/profile.h>
#include <weft/timeline.h>
#include <weft/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace weft {

/// One attempt of a run: from a start or resume to the next end.
struct Attempt {
    std::uint32_t number = 1;     ///< from 1
    std::int64_t wallClock = 0;   ///< begin as Unix time in nanoseconds
    std::int64_t stepsBefore = 0; ///< steps of earlier attempts; step numbers continue from here
    std::int64_t period = 1;      ///< number of steps after which the kinds of steps repeat
    std::int32_t ranks = 1;       ///< number of processes
    std::int32_t hosts = 1;       ///< number of hosts with ranks
    std::vector<std::string> devices = {}; ///< names, by DeviceId
    std::string version = {};              ///< version of Weft
    bool operator==(const Attempt&) const = default;
};

struct MetricInfo {
    std::string name;
    std::string unit = {};
    bool lessIsBetter = false;
    std::string equals = {}; ///< another metric that always has the same value; empty: none
    bool operator==(const MetricInfo&) const = default;
};

struct MetricValue {
    std::uint32_t metric = 0; ///< position in the reader's `metrics`
    double value = 0;
};

/// A training step that ended, or an evaluation after it, with its metrics.
struct StepRecord {
    std::uint32_t attempt = 1;
    Split split = Split::train; ///< train: a training step; evaluate: an evaluation
    std::int64_t step = 0;
    std::int64_t time = 0; ///< nanoseconds since the attempt began, by rank 0's clock
    float seconds = 0;     ///< duration of the step
    float epoch = 0;       ///< epochs done so far, with a fraction
    std::vector<MetricValue> values = {}; ///< metrics of the step
};

struct RunMessage {
    std::uint32_t attempt = 1;
    int rank = 0;
    int level = 0; ///< 0 note, 1 warning, 2 error
    std::int64_t step = 0;
    std::int64_t time = 0; ///< as in StepRecord
    std::string text;
};

/// A file written to the run's folder; `path` is relative to the folder.
struct RunFile {
    std::uint32_t attempt = 1;
    std::int64_t step = 0; ///< step after which it was written
    std::string path;      ///< relative to the run's folder
    std::int64_t time = 0; ///< as in StepRecord
};

struct RunMemory {
    std::uint32_t attempt = 1;
    int rank = 0;
    DeviceId device;
    std::string name; ///< "planned", "arena", "resident"
    Bytes bytes = {}; ///< amount of the kind that `name` says
};

struct RunProfile {
    std::uint32_t attempt = 1;
    std::int64_t time = 0; ///< as in StepRecord
    ProfileEntry entry;    ///< time of a layer during one second
};

/// A running run paused after this step, or resumed.
struct RunPause {
    std::uint32_t attempt = 1;
    bool isPaused = false; ///< true: paused; false: resumed
    std::int64_t step = 0; ///< last step before the pause
    std::int64_t time = 0; ///< as in StepRecord
};

struct RunEnd {
    std::uint32_t attempt = 1;
    EndReason reason = EndReason::done;
    std::int64_t step = 0; ///< last step
    std::string text;      ///< message: why it ended
    std::int64_t time = 0; ///< as in StepRecord
};

/// An op that a stream is executing, or was executing when its process died.
struct RunningOp {
    int rank = 0;
    DeviceId device;
    std::uint32_t stream = 0;
    SpanSite site;    ///< what the stream executes
    Nanoseconds time; ///< duration so far; for a dead process, until now
};

/// The events since the last read, in each rank's order.
struct RunNews {
    std::vector<Attempt> attempts; ///< attempts that began
    std::vector<StepRecord> steps; ///< training steps and evaluations that ended
    std::vector<RunMessage> messages;
    std::vector<RunFile> checkpoints;
    std::vector<RunFile> tensors; ///< tensors that were written
    std::vector<Error> failures;
    std::vector<RunMemory> memory;   ///< memory of each device
    std::vector<RunProfile> profile; ///< time per layer, for each second
    std::vector<RunPause> pauses;
    std::vector<RunEnd> ends; ///< ends of attempts
    Timeline timeline;        ///< steps that are complete on all ranks, if spans were requested
    bool isMore = false;      ///< true: more can be read at once

    [[nodiscard]] bool isEmpty() const;
};

} // namespace weft
