// SPDX-License-Identifier: Apache-2.0
#pragma once
// One run as the window knows it: whichever process runs it, living or ended, its folder's logs are
// read from the start and followed. Reading is another thread's; every 40 ms what came is put into
// the stores and told once. Lives on the GUI thread.

#include "session/layer_sums.h"
#include "session/run_follower.h"
#include "session/series_store.h"
#include "session/span_store.h"
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

/// What one beat brought.
struct RunGrowth {
    bool isNew = false; ///< another run: everything is to be read again
    bool hasSteps = false;
    bool hasSpans = false;
    bool hasSums = false;
    bool hasMessages = false; ///< its story goes on, or something failed
    bool hasFiles = false;    ///< checkpoints, tensors
    bool hasState = false;
    bool hasStands = false;
};

class RunHub : public QObject {
    Q_OBJECT

public:
    explicit RunHub(QObject* parent = nullptr);
    ~RunHub() override;

    /// Follows that run from its first event; the one before is let go and goes on by itself.
    void open(const QString& folder);
    void close();

    [[nodiscard]] bool isOpen() const { return follower_ != nullptr; }
    [[nodiscard]] const QString& folder() const { return folder_; }
    /// The last part of the folder's path.
    [[nodiscard]] QString name() const;
    [[nodiscard]] RunState state() const { return state_; }
    [[nodiscard]] bool isLiving() const { return isOpen() && state_ == RunState::living; }
    /// The remote run that is shown, and what is known of it beyond its state.
    [[nodiscard]] const std::optional<RunCopy>& copy() const { return copy_; }
    /// It lives and waits to be told to go on.
    [[nodiscard]] bool isPaused() const { return isLiving() && isPaused_; }
    /// What was run: measurements belong to it, whatever the document says by now.
    [[nodiscard]] const Design& design() const { return design_; }

    [[nodiscard]] const SeriesStore& series() const { return series_; }
    [[nodiscard]] const SpanStore& spans() const { return spans_; }
    [[nodiscard]] const LayerSums& sums() const { return sums_; }
    /// What it said, and what was done in it, in order.
    [[nodiscard]] const std::vector<RunMessage>& story() const { return story_; }
    [[nodiscard]] const std::vector<Error>& failures() const { return failures_; }
    [[nodiscard]] const std::vector<RunFile>& checkpoints() const { return checkpoints_; }
    [[nodiscard]] const std::vector<RunFile>& tensors() const { return tensors_; }
    /// What stands for the run as a whole: the one place for its time of a step, its best loss and
    /// the memory it was given.
    [[nodiscard]] const RunFigures& figures() const { return figures_; }
    [[nodiscard]] const std::vector<DeviceMemory>& memory() const { return figures_.memory; }
    [[nodiscard]] const std::vector<Attempt>& attempts() const { return attempts_; }
    /// The ops that have lasted a while, or in which the run died.
    [[nodiscard]] const std::vector<RunStand>& stands() const { return stands_; }
    [[nodiscard]] const std::optional<RunEnd>& end() const { return end_; }
    /// Why nothing more can be read; empty: it can.
    [[nodiscard]] const QString& fault() const { return fault_; }
    /// By device; empty where the step's spans were not kept.
    [[nodiscard]] std::vector<StepTotals> totals(std::int64_t step) const;
    [[nodiscard]] std::int64_t lastStep() const;
    /// What failed, in one paragraph: rank, layer, cause, what to do and where the log is. Empty
    /// where nothing did.
    [[nodiscard]] QString failureText() const;

    /// Takes what has come now, without waiting for the beat.
    void beat();
    /// A file of the run that was told of before has come here, or won't: told again.
    void tellOfFile(const QString& file);

Q_SIGNALS:
    /// Also when a run is let go, so that nobody holds on to its series.
    void grown(const weft::ui::RunGrowth& growth);

private:
    void take(RunBatch& batch, RunGrowth& growth);
    void forget();

    QString folder_;
    Design design_;
    RunState state_ = RunState::lost;
    std::optional<RunCopy> copy_;
    bool isPaused_ = false;
    bool isNew_ = false;
    std::unique_ptr<RunFollower> follower_;
    std::vector<std::unique_ptr<RunFollower>> leaving_; ///< until their threads have ended
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
    std::vector<RunStand> stands_;
    std::optional<RunEnd> end_;
    std::map<std::int64_t, std::vector<StepTotals>> totals_;
    QString fault_;
};

} // namespace weft::ui
