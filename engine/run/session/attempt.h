// SPDX-License-Identifier: Apache-2.0
#pragma once
// One attempt of a run, and its files: every rank has a log; rank 0 also has the folder, the
// mailbox and the reports. Nothing is written if the request names no folder. An attempt that
// cannot begin leaves an existing folder unchanged.

#include "comm/world.h"
#include "events/run_directory.h"
#include "run/session/control.h"
#include "run/session/run_log.h"
#include "run/train/training_run.h"
#include <weft/session.h>
#include <weft/sinks.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace weft {

/// Writes a run's files other than its logs: metrics.jsonl and log.txt always, other sinks on
/// request, and figures.json at the end. A separate thread reads the logs, as any viewer does, so
/// that the run never waits.
class RunReport {
public:
    /// Throws Error{usage} for an unknown sink.
    RunReport(const std::filesystem::path& folder, std::uint32_t attempt,
              std::vector<std::string> sinks);
    /// Processes everything written so far and ends. Returns the messages of the sinks that failed.
    std::vector<std::string> finish();

private:
    std::vector<std::string> problems_; ///< owned by the thread until it has ended
    std::vector<std::unique_ptr<RunSink>> sinks_;
    std::jthread thread_;
};

class RunAttempt {
public:
    /// Request, world and controls must outlive the attempt. `devices` are those of all ranks.
    /// Throws Error{usage} for an unknown sink.
    RunAttempt(const SessionRequest& request, World& world, RunControls& controls,
               std::vector<std::string> devices);

    /// Returns the machine that the run is planned for. A resume keeps its earlier machine if the
    /// present one has the same devices. All ranks call this function once, before any other.
    [[nodiscard]] const MachineSheet& agreeOnMachine();
    /// Begins a resume: locks the run for this process while the attempt is prepared, without
    /// changing the folder. All ranks call lockForResume() and then open() at the same points.
    void lockForResume();
    /// Begins the attempt: rank 0 creates the folder, or takes the folder that it holds.
    void open();
    /// Opens the log, which listens to the run, and sends checkpoints to the folder. The watchdog,
    /// which measures this rank's clock, must outlive the attempt.
    void begin(TrainingRun& run, Watchdog& watchdog);
    /// Writes the cause of a failure to the log, also if the attempt could not begin. Throws
    /// nothing, so that the cause is not replaced.
    void fail(const Error& cause, std::int64_t step) noexcept;
    /// Writes the end of a failed attempt, with the result of saving, and closes the log.
    void endFailed(std::int64_t step, const std::string& text) noexcept;
    /// Returns the log, to which the watchdog reports failures and slow ranks.
    [[nodiscard]] EventLog* log() const { return log_.get(); }
    void noteCheckpoint(std::int64_t step, const std::string& path);
    void end(EndReason reason, std::int64_t step, const std::string& text);
    /// Waits until everything is on disk. Returns the messages of the sinks that failed.
    [[nodiscard]] std::vector<std::string> close();

    [[nodiscard]] bool isOpen() const { return isOpen_; }
    /// Returns an empty path if nothing is kept. Valid on all ranks after lockForResume() or
    /// open().
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
    /// Returns the folder on rank 0, and an empty path on other ranks.
    [[nodiscard]] std::filesystem::path folderOnRank0() const {
        return directory_ ? directory_->folder() : std::filesystem::path();
    }
    /// Returns the kernels that this rank chose in the previous attempt. Empty for a first attempt.
    [[nodiscard]] const RecordedSelection& previousSelection() const { return previousSelection_; }
    /// True if a later attempt has taken the folder. Then nothing more may be written to the
    /// folder.
    [[nodiscard]] bool hasLostFolder() const { return directory_ && !directory_->isOurs(); }
    /// Returns why the log cannot grow any further and what to do, or an empty string if the log
    /// can.
    [[nodiscard]] std::string stallReason() const;

private:
    /// Writes the design as it is trained from now on. The previous design is kept beside it.
    void writeDesign();
    void openLog(std::int64_t stepsBefore);
    void flushLog() const;
    /// Returns where this rank's selection is kept. Files of other ranks lie beside rank 0's file.
    [[nodiscard]] std::filesystem::path selectionPath() const;
    /// Writes the selection. A resume reports where its selection differs from the previous one.
    void writeSelection(TrainingRun& run);

    const SessionRequest& request_;
    World& world_;
    RunControls& controls_;
    std::vector<std::string> devices_;
    MachineSheet machine_;
    int hosts_ = 1; ///< set once the run is prepared
    bool isOpen_ = false;
    std::filesystem::path folder_;
    std::string previousSelectionText_; ///< selection.json of the previous attempt
    RecordedSelection previousSelection_;
    std::string designRemark_ = {}; ///< remark if the design differs from the previous attempt's
    // The order matters: the report must still read what the log writes last.
    std::optional<RunReservation> reservation_; ///< only on rank 0, like directory_
    std::optional<RunDirectory> directory_;
    std::unique_ptr<RunReport> report_;
    std::unique_ptr<EventLog> log_;
    EventChannel* channel_ = nullptr; ///< for an attempt that could not begin
    std::unique_ptr<RunLog> listener_;
    std::unique_ptr<RunMailbox> mailbox_;
};

/// The newest checkpoint of a run and its step. Error{file} if there is none.
struct SavedCheckpoint {
    std::filesystem::path path;
    std::int64_t step = 0;
};
[[nodiscard]] SavedCheckpoint lastCheckpoint(const std::filesystem::path& folder);

} // namespace weft
