// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs on disk: what there is, what one reported, and following one that lives. A living, a
// finished and a lost run are read the same way, from the files of its folder; reading never
// disturbs the run. A reader belongs to one thread.

#include <weft/error.h>
#include <weft/events.h>
#include <weft/profile.h>
#include <weft/timeline.h>
#include <weft/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weft {

enum class RunState : std::uint8_t {
    living,
    done,
    stopped, ///< by request, to be resumed
    failed,
    lost ///< its process ended without a word
};
[[nodiscard]] std::string_view nameOf(RunState state);

/// From a begin or a resume to the next end.
struct Attempt {
    std::uint32_t number = 1;
    std::int64_t wallClock = 0;   ///< Unix time in nanoseconds
    std::int64_t stepsBefore = 0; ///< done by earlier attempts: steps count on from here
    std::int32_t ranks = 1;
    std::vector<std::string> devices = {}; ///< by DeviceId
    std::string version = {};              ///< of Weft
    bool operator==(const Attempt&) const = default;
};

struct MetricInfo {
    std::string name;
    std::string unit = {};
    bool lessIsBetter = false;
    bool operator==(const MetricInfo&) const = default;
};

struct MetricValue {
    std::uint32_t metric = 0; ///< position in the reader's `metrics`
    double value = 0;
};

/// A training step that ended, or an evaluation after it, with its numbers. `time`: nanoseconds
/// since its attempt began, by rank 0's clock.
struct StepRecord {
    std::uint32_t attempt = 1;
    Split split = Split::train;
    std::int64_t step = 0;
    std::int64_t time = 0;
    float seconds = 0;
    float epoch = 0;
    std::vector<MetricValue> values = {};
};

struct RunMessage {
    std::uint32_t attempt = 1;
    int rank = 0;
    int level = 0; ///< 0 note, 1 warning, 2 error
    std::int64_t step = 0;
    std::int64_t time = 0;
    std::string text;
};

/// Something written into the run's folder; `path` is relative to it.
struct RunFile {
    std::uint32_t attempt = 1;
    std::int64_t step = 0;
    std::string path;
};

struct RunMemory {
    int rank = 0;
    DeviceId device;
    std::string name; ///< "planned", "arena", "resident"
    Bytes bytes = {};
};

struct RunProfile {
    std::uint32_t attempt = 1;
    std::int64_t time = 0;
    ProfileEntry entry;
};

/// A run that lives waits after this step, or goes on.
struct RunPause {
    std::uint32_t attempt = 1;
    bool isPaused = false;
    std::int64_t step = 0;
    std::int64_t time = 0; ///< as a step's
};

struct RunEnd {
    std::uint32_t attempt = 1;
    EndReason reason = EndReason::done;
    std::int64_t step = 0;
    std::string text;
};

/// What was reported since the last read, in the order in which each rank reported it.
struct RunNews {
    std::vector<Attempt> attempts;
    std::vector<StepRecord> steps;
    std::vector<RunMessage> messages;
    std::vector<RunFile> checkpoints;
    std::vector<RunFile> tensors;
    std::vector<Error> failures;
    std::vector<RunMemory> memory;
    std::vector<RunProfile> profile;
    std::vector<RunPause> pauses;
    std::vector<RunEnd> ends;
    Timeline timeline;   ///< steps that are whole on all ranks, where spans are asked for
    bool isMore = false; ///< there is more to read at once

    [[nodiscard]] bool isEmpty() const;
};

/// Reads a run's logs from the start and goes on as they grow.
class RunReader {
public:
    explicit RunReader(std::filesystem::path folder, bool withSpans = false);
    ~RunReader();
    RunReader(RunReader&&) noexcept;
    RunReader& operator=(RunReader&&) noexcept;

    /// At most some megabytes per call, so that a caller with a beat keeps it.
    [[nodiscard]] RunNews read();
    /// Sleeps until a log grows, at most so long; notified on one host, else it looks once a
    /// second.
    void waitForGrowth(std::chrono::nanoseconds limit);

    [[nodiscard]] const std::filesystem::path& folder() const;
    [[nodiscard]] const std::vector<MetricInfo>& metrics() const;
    [[nodiscard]] RunState state() const;
    /// Bytes of the logs that were damaged and passed over.
    [[nodiscard]] std::uint64_t damagedBytes() const;

private:
    struct Reading;
    std::unique_ptr<Reading> reading_;
};

/// The numbers of one metric, by step; where attempts overlap, the latest one's.
struct MetricSeries {
    MetricInfo metric;
    Split split = Split::train;
    std::vector<std::int64_t> steps;
    std::vector<double> values;
};

struct RunSummary {
    std::filesystem::path folder;
    std::string name;   ///< of the folder
    std::string design; ///< name of the design
    RunState state = RunState::lost;
    bool isPaused = false;  ///< it lives and waits to be told to go on
    std::int64_t begun = 0; ///< Unix time in nanoseconds
    std::uint32_t attempts = 0;
    std::int64_t lastStep = -1;
    std::optional<double> lastLoss = {};
    Bytes size = {};        ///< on disk
    std::string cause = {}; ///< why it failed
};

struct Run {
    RunSummary summary;
    std::string design; ///< the text of its design.weft
    std::vector<Attempt> attempts;
    std::vector<MetricSeries> series;
    std::vector<RunMessage> messages;
    std::vector<RunFile> checkpoints;
    std::vector<Error> failures;
    Profile profile; ///< of the last attempt
};

/// The runs in a folder, newest first. What is no run is passed over; a folder that is not there
/// holds none.
[[nodiscard]] std::vector<RunSummary> listRuns(const std::filesystem::path& folder);
[[nodiscard]] Run openRun(const std::filesystem::path& folder);
/// The measured spans of all steps from `first` to `last` that are whole.
[[nodiscard]] Timeline readTimeline(const std::filesystem::path& folder, std::int64_t first,
                                    std::int64_t last);

} // namespace weft
