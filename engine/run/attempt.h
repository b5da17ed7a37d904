// SPDX-License-Identifier: Apache-2.0
#pragma once
// One attempt of a run as its folder knows it: on rank 0 the folder itself, its mailbox and what is
// reported beside the logs; on every rank the log. Nothing is kept where the request names no
// place. An attempt that cannot begin leaves the folder that was there as it is.

#include "comm/world.h"
#include "events/run_directory.h"
#include "run/control.h"
#include "run/run_log.h"
#include "run/run_report.h"
#include "run/training_run.h"
#include <weft/session.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weft {

class RunAttempt {
public:
    /// Request, world and controls outlive it. The devices are those of all ranks. Error{usage} for
    /// a sink that there is not.
    RunAttempt(const SessionRequest& request, World& world, RunControls& controls,
               std::vector<std::string> devices);

    /// What the run is planned for: of a resume as it was, where this is still such a machine.
    /// Once, by all ranks, before anything else.
    [[nodiscard]] const MachineSheet& agreeOnMachine();
    /// Begins a resume: no other process may use the run while this attempt is prepared, and its
    /// folder stays unchanged. All ranks call it, and the next function, at the same point.
    void hold();
    /// The attempt begins: rank 0 makes the folder, or takes the one that is held.
    void open();
    /// The log is begun and hears the run; checkpoints go into the folder. The watchdog, which
    /// knows how this rank's clock goes, outlives it.
    void begin(TrainingRun& run, Watchdog& watchdog);
    /// The cause, in the log of an attempt that has begun or could not begin. It throws nothing, as
    /// the cause is what matters.
    void fail(const Error& cause, std::int64_t step) noexcept;
    /// The end of an attempt that failed, with what came of saving; closes the log.
    void endFailed(std::int64_t step, const std::string& text) noexcept;
    /// Where the ranks' watch tells of failures and of slow ranks.
    [[nodiscard]] EventLog* log() const { return log_.get(); }
    void noteCheckpoint(std::int64_t step, const std::string& path);
    void end(EndReason reason, std::int64_t step, const std::string& text);
    /// All is on disk; what each sink that broke said.
    [[nodiscard]] std::vector<std::string> close();

    [[nodiscard]] bool isOpen() const { return isOpen_; }
    /// Empty where nothing is kept; on all ranks once it is held or open.
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
    /// The folder where this process keeps it: rank 0's alone.
    [[nodiscard]] std::filesystem::path ownFolder() const {
        return directory_ ? directory_->folder() : std::filesystem::path();
    }
    /// What this rank's select chose in the attempt before; nothing in a first one.
    [[nodiscard]] const RecordedSelection& keptSelection() const { return kept_; }
    /// A later attempt has taken the folder: nothing more may be kept in it.
    [[nodiscard]] bool isFenced() const { return directory_ && !directory_->isOurs(); }
    /// Empty but where the log can keep no more: why, and what to do.
    [[nodiscard]] std::string stall() const;

private:
    /// As it is trained from now on; what it was before stays beside it.
    void keepDesign();
    void openLog(std::int64_t stepsBefore);
    void flushLog() const;
    /// What was selected here: beside rank 0's, those of other ranks.
    [[nodiscard]] std::filesystem::path selectionPath() const;
    /// Keeps it; a resume says where it is not what it was.
    void keepSelection(TrainingRun& run);

    const SessionRequest& request_;
    World& world_;
    RunControls& controls_;
    std::vector<std::string> devices_;
    MachineSheet machine_;
    int hosts_ = 1; ///< known once the run is made ready
    bool isOpen_ = false;
    std::filesystem::path folder_;
    std::string before_; ///< the selection of the attempt before, as it was kept
    RecordedSelection kept_;
    std::string otherDesign_ = {}; ///< what is said where it is not that of the attempt before
    // In this order, so that the report still reads what the log writes last.
    std::optional<RunHold> hold_; ///< rank 0's, and so is
    std::optional<RunDirectory> directory_;
    std::unique_ptr<RunReport> report_;
    std::unique_ptr<EventLog> log_;
    EventChannel* channel_ = nullptr; ///< of an attempt that could not begin
    std::unique_ptr<RunLog> listener_;
    std::unique_ptr<Control> control_;
};

/// The newest checkpoint of a run and the step it is from; Error{file} when there is none.
struct SavedCheckpoint {
    std::filesystem::path path;
    std::int64_t step = 0;
};
[[nodiscard]] SavedCheckpoint lastCheckpoint(const std::filesystem::path& folder);

} // namespace weft
