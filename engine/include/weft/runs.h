// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs on disk: what there is, what one reported, and following one that lives. A living, a
// finished and a lost run are read the same way, from the files of its folder; reading never
// disturbs the run. A reader belongs to one thread.

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
    living,
    done,
    stopped, ///< by request, to be resumed
    failed,
    lost,    ///< its process ended without a word
    waiting, ///< on another host, in a queue: not begun
    unknown  ///< on another host, and the line to it is lost
};
[[nodiscard]] std::string_view nameOf(RunState state);

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

    [[nodiscard]] const std::vector<MetricInfo>& metrics() const;
    [[nodiscard]] RunState state() const;
    /// Whether more may come: it lives, waits to begin, or its host may be heard of again.
    [[nodiscard]] bool mayGrow() const;
    /// Figures of everything read so far.
    [[nodiscard]] RunFigures figures() const;
    /// Ops that a local run is executing, as far as known; empty if nothing runs.
    [[nodiscard]] std::vector<RunStand> stands() const;
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
    std::vector<std::string> devices = {}; ///< of the last attempt, by DeviceId
    std::int64_t lastStep = -1;
    std::optional<double> lastLoss = {};
    /// Nothing where only the whole of the logs tells them, as while it lives: `figuresOf` reads
    /// them.
    std::optional<RunFigures> figures = {};
    Bytes size = {};        ///< on disk
    std::string cause = {}; ///< why it failed; of a copy, what it waits for or why that is unknown
    std::string host = {};  ///< of a copy: on which it runs; empty: here
};

/// What a folder that grows here says of the run on another host whose copy it is.
struct RunCopy {
    std::string host;
    std::string run;      ///< its name there
    bool isUp = false;    ///< the line by which it grows
    std::string why = {}; ///< what it waits for, why nothing is known of it, or it never began
};

struct Run {
    RunSummary summary;
    std::string design; ///< the text of its design.weft
    std::vector<Attempt> attempts;
    std::vector<MetricSeries> series;
    std::vector<RunMessage> messages;
    std::vector<RunFile> checkpoints;
    std::vector<Error> failures;
    Profile profile;                ///< of the last attempt
    std::uint64_t damagedBytes = 0; ///< of the logs, passed over
};

/// By which runs sort by their age: "2026-01-01_120000_lenet".
[[nodiscard]] std::string newRunName(std::string_view design);

/// How a run was begun, and goes on unless told otherwise.
struct RunBegin {
    std::vector<std::filesystem::path> folders = {}; ///< in which its design's files lie
    std::string backend = {};                        ///< that computes it; empty: the devices' own
    std::vector<std::string> devices = {};           ///< empty: those of its design
};

/// The runs in a folder, newest first. What is no run is passed over; a folder that is not there
/// holds none.
[[nodiscard]] std::vector<RunSummary> listRuns(const std::filesystem::path& folder);
/// The folders of those that live: no log is read for that.
[[nodiscard]] std::vector<std::filesystem::path> livingRuns(const std::filesystem::path& folder);
/// Nothing where the folder is no run's.
[[nodiscard]] std::optional<RunSummary> summaryOf(const std::filesystem::path& folder);
/// Nothing where the folder is no copy.
[[nodiscard]] std::optional<RunCopy> copyOf(const std::filesystem::path& folder);
/// That is there; empty: none is.
[[nodiscard]] std::filesystem::path newestCheckpoint(const std::filesystem::path& run);
/// As the summary has them, else from the logs.
[[nodiscard]] RunFigures figuresOf(const RunSummary& summary);
/// With the figures.
[[nodiscard]] Run openRun(const std::filesystem::path& folder);
/// That it was planned for, as it was known then; this one where the run does not say.
[[nodiscard]] MachineSheet machineOf(const std::filesystem::path& run);
/// Nothing of a run that does not say.
[[nodiscard]] RunBegin beginOf(const std::filesystem::path& run);
/// Why nothing is predicted of a run on these devices; empty: it is.
[[nodiscard]] std::string whyUnpredicted(const RunBegin& begin,
                                         const std::vector<std::string>& devices);
/// The measured spans of all steps from `first` to `last` that are whole.
[[nodiscard]] Timeline readTimeline(const std::filesystem::path& folder, std::int64_t first,
                                    std::int64_t last);

} // namespace weft
