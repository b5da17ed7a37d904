// SPDX-License-Identifier: Apache-2.0
#pragma once
// Lists and reads runs on disk, and follows running ones. Running, finished and lost runs are read
// the same way from their folders, and reading never disturbs the run. A reader belongs to one
// thread.

#include <weft/devices.h>
#include <weft/run_figures.h>
#include <weft/run_news.h>

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
    living,  ///< running or paused
    done,    ///< all steps are done
    stopped, ///< on request; can be resumed
    failed,  ///< ended with an error
    lost,    ///< its process ended without a report
    waiting, ///< queued on another host; not started
    unknown  ///< on another host that cannot be reached
};
[[nodiscard]] std::string_view nameOf(RunState state);

/// Reads a run's logs from the start and continues as they grow.
class RunReader {
public:
    explicit RunReader(std::filesystem::path folder, bool withSpans = false);
    ~RunReader();
    RunReader(RunReader&&) noexcept;
    RunReader& operator=(RunReader&&) noexcept;

    /// Reads at most some megabytes per call, so that the caller stays responsive.
    [[nodiscard]] RunNews read(); ///< events since the last call
    /// Sleeps until a log grows, at most `limit`. Local growth is notified; otherwise it polls once
    /// a second.
    void waitForGrowth(std::chrono::nanoseconds limit);

    [[nodiscard]] const std::vector<MetricInfo>& metrics() const; ///< by MetricValue::metric
    [[nodiscard]] RunState state() const;
    /// True if more may come: the run is running, queued, or on a host that may be reached again.
    [[nodiscard]] bool mayGrow() const;
    /// Returns the figures of everything read so far.
    [[nodiscard]] RunFigures figures() const;
    /// Returns the ops that a local run is executing, as far as known; empty if nothing runs.
    [[nodiscard]] std::vector<RunningOp> runningOps() const;
    /// Returns the number of damaged log bytes that were skipped.
    [[nodiscard]] std::uint64_t damagedBytes() const;

private:
    struct Reading;
    std::unique_ptr<Reading> reading_;
};

/// The values of one metric by step; where attempts overlap, those of the latest.
struct MetricSeries {
    MetricInfo metric;
    Split split = Split::train;      ///< whether of training or of evaluation
    std::vector<std::int64_t> steps; ///< step of each value
    std::vector<double> values;
};

struct RunSummary {
    std::filesystem::path folder;
    std::string name;   ///< name of the folder
    std::string design; ///< name of the design
    RunState state = RunState::lost;
    bool isPaused = false;                  ///< true: running, and paused until resumed
    std::int64_t begun = 0;                 ///< begin as Unix time in nanoseconds
    std::uint32_t attempts = 0;             ///< number of attempts
    std::vector<std::string> devices = {};  ///< devices of the last attempt, by DeviceId
    std::int64_t lastStep = -1;             ///< -1: no step yet
    std::optional<double> lastLoss = {};    ///< loss of the last step; none: no loss
    std::optional<RunFigures> figures = {}; ///< none: `figuresOf` computes them from the logs
    Bytes size = {};                        ///< on disk
    std::string cause = {};                 ///< why it failed; for a copy: what it waits for
    std::string host = {};                  ///< for a copy: host of the run; empty: this host
};

/// A local copy of a run on another host, as its folder describes it.
struct RunCopy {
    std::string host;     ///< where the run is
    std::string run;      ///< the run's name on its host
    bool isUp = false;    ///< true: the line that updates the copy is up
    std::string why = {}; ///< why it waits, is unknown or never began
};

struct Run {
    RunSummary summary;
    std::string design; ///< the text of its design.weft
    std::vector<Attempt> attempts;
    std::vector<MetricSeries> series; ///< values of each metric by step
    std::vector<RunMessage> messages;
    std::vector<RunFile> checkpoints;
    std::vector<Error> failures;
    Profile profile;                ///< for the last attempt
    std::uint64_t damagedBytes = 0; ///< number of log bytes skipped
};

/// Returns a name with which runs sort by age: "2026-01-01_120000_lenet".
[[nodiscard]] std::string newRunName(std::string_view design);

/// The options a run was started with; they are the defaults for resuming it.
struct RunBegin {
    std::vector<std::filesystem::path> folders = {}; ///< search folders of the design's files
    std::string backend = {};                        ///< backend; empty: the devices' own
    std::vector<std::string> devices = {}; ///< empty: the devices that the design declares
};

/// Returns the runs in a folder, newest first. Skips other entries; a missing folder has no runs.
[[nodiscard]] std::vector<RunSummary> listRuns(const std::filesystem::path& folder);
/// Returns the folders of running runs without reading logs.
[[nodiscard]] std::vector<std::filesystem::path> livingRuns(const std::filesystem::path& folder);
/// Returns nothing if the folder is not a run.
[[nodiscard]] std::optional<RunSummary> summaryOf(const std::filesystem::path& folder);
/// Returns nothing if the folder is not a copy.
[[nodiscard]] std::optional<RunCopy> copyOf(const std::filesystem::path& folder);
/// Returns the newest existing checkpoint; empty if there is none.
[[nodiscard]] std::filesystem::path newestCheckpoint(const std::filesystem::path& run);
/// Returns the summary's figures if present, else computes them from the logs.
[[nodiscard]] RunFigures figuresOf(const RunSummary& summary);
/// Reads the whole run, including its figures.
[[nodiscard]] Run openRun(const std::filesystem::path& folder);
/// Returns the machine that the run was planned for; this machine if the run does not store one.
[[nodiscard]] MachineSheet machineOf(const std::filesystem::path& run);
/// Returns nothing if the run does not store its options.
[[nodiscard]] RunBegin beginOf(const std::filesystem::path& run); ///< options it began with
/// Returns why nothing is predicted for a run on these devices; empty: it is.
[[nodiscard]] std::string whyUnpredicted(const RunBegin& begin,
                                         const std::vector<std::string>& devices);
/// Returns the measured spans of all complete steps from `first` to `last`.
[[nodiscard]] Timeline readTimeline(const std::filesystem::path& folder, std::int64_t first,
                                    std::int64_t last);

} // namespace weft
