// SPDX-License-Identifier: Apache-2.0
#pragma once
// The data of one run, live or finished, in whichever process it runs. A separate thread reads the
// logs from the start and follows them; every 40 ms the new events are added to the stores and
// announced once. Lives on the GUI thread.

#include "runs/layer_sums.h"
#include "runs/run_follower.h"
#include "runs/series_store.h"
#include "runs/span_store.h"
#include <weft/design.h>
#include <weft/error.h>
#include <weft/runs.h>

#include <QObject>
#include <QString>
#include <QTimer>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace weft::ui {

/// The changes of one update.
struct RunGrowth {
    bool isNew = false; ///< another run was opened: all data is new
    bool hasSteps = false;
    bool hasSpans = false;    ///< new spans of steps
    bool hasSums = false;     ///< new times per layer
    bool hasMessages = false; ///< new messages or failures
    bool hasFiles = false;    ///< new checkpoints or tensors
    bool hasState = false;    ///< the run's state has changed
    bool hasRunningOps = false;
};

class RunHub : public QObject {
    Q_OBJECT

public:
    explicit RunHub(QObject* parent = nullptr);
    ~RunHub() override;

    /// Follows this run from its first event; no longer follows the previous one.
    void open(const QString& folder);
    void close();

    [[nodiscard]] bool isOpen() const { return follower_ != nullptr; }
    [[nodiscard]] const QString& folder() const { return folder_; }
    [[nodiscard]] QString name() const; ///< name of the run's folder
    [[nodiscard]] RunState state() const { return state_; }
    [[nodiscard]] bool isLiving() const { return isOpen() && state_ == RunState::living; }
    /// State of the local copy, for a remote run.
    [[nodiscard]] const std::optional<RunCopy>& copy() const { return copy_; }
    /// True if the run is live and paused.
    [[nodiscard]] bool isPaused() const { return isLiving() && isPaused_; }
    /// The design that the run uses, which may differ from the open document. Measurements refer to
    /// it.
    [[nodiscard]] const Design& design() const { return design_; }

    [[nodiscard]] const SeriesStore& series() const { return series_; }
    [[nodiscard]] const SpanStore& spans() const { return spans_; }
    [[nodiscard]] const LayerSums& sums() const { return sums_; } ///< time per layer
    /// Messages and events of the run in order.
    [[nodiscard]] const std::vector<RunMessage>& story() const { return story_; }
    [[nodiscard]] const std::vector<Error>& failures() const { return failures_; }
    [[nodiscard]] const std::vector<RunFile>& checkpoints() const { return checkpoints_; }
    /// Observed values.
    [[nodiscard]] const std::vector<RunFile>& tensors() const { return tensors_; }
    /// The figures of the whole run: the only source of its step time, best loss and memory.
    [[nodiscard]] const RunFigures& figures() const { return figures_; }
    [[nodiscard]] const std::vector<DeviceMemory>& memory() const { return figures_.memory; }
    [[nodiscard]] const std::vector<Attempt>& attempts() const { return attempts_; }
    /// Ops that have been running for a while, or during which the run died.
    [[nodiscard]] const std::vector<RunningOp>& runningOps() const { return runningOps_; }
    /// std::nullopt: still open.
    [[nodiscard]] const std::optional<RunEnd>& end() const { return end_; }
    /// Why the run cannot be read; empty: it can.
    [[nodiscard]] const QString& fault() const { return fault_; }
    /// Returns totals by device; empty if the step's spans were not recorded.
    [[nodiscard]] std::vector<StepTotals> totals(std::int64_t step) const;
    [[nodiscard]] std::int64_t lastStep() const; ///< last finished training step; -1: none
    /// Returns the failure as one paragraph with rank, layer, cause, remedy and log file; empty if
    /// the run has not failed.
    [[nodiscard]] QString failureText() const;

    void beat(); ///< updates now rather than at the next interval
    /// A known file of the run was fetched from its host or could not be; emits `grown` again.
    void announceFile(const QString& file);

Q_SIGNALS:
    /// The run has new data, or was closed, so that views release its series.
    void grown(const weft::ui::RunGrowth& growth);

private:
    void addBatch(RunBatch& batch, RunGrowth& growth);
    void clearData();

    QString folder_;
    Design design_;
    RunState state_ = RunState::lost;
    std::optional<RunCopy> copy_;
    bool isPaused_ = false;
    bool isNew_ = false;
    std::unique_ptr<RunFollower> follower_;
    /// Followers whose threads have not ended yet.
    std::vector<std::unique_ptr<RunFollower>> stoppingFollowers_;
    QTimer timer_;

    SeriesStore series_;
    SpanStore spans_;
    LayerSums sums_;
    std::vector<RunMessage> story_;
    std::vector<Error> failures_;
    std::vector<RunFile> checkpoints_;
    std::vector<RunFile> tensors_;
    RunFigures figures_;
    std::vector<Attempt> attempts_;
    std::vector<RunningOp> runningOps_;
    std::optional<RunEnd> end_;
    std::map<std::int64_t, std::vector<StepTotals>> totals_; ///< by step
    QString fault_;
};

} // namespace weft::ui
