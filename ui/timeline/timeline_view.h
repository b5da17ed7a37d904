// SPDX-License-Identifier: Apache-2.0
#pragma once
// The timeline of a run, live or finished, with the prediction above the measurement:
// TimelineView(look, hub, prediction). `follow(document, selection)` connects it to a design: a
// click on a span selects its layer, and spans of selected layers are ringed. A table below lists
// the collectives of the step.

#include "runs/run_hub.h"
#include "runs/run_prediction.h"
#include "timeline/collective_model.h"
#include "timeline/timeline_tracks.h"
#include "workspace/selection.h"

#include <QPointer>
#include <QWidget>

class QComboBox;
class QLabel;
class QSplitter;
class QTableView;
class QToolButton;

namespace weft::ui {

class TimelineView : public QWidget {
    Q_OBJECT

public:
    TimelineView(const Look& look, const RunHub& hub, const RunPrediction& prediction,
                 QWidget* parent = nullptr);

    /// Shares the selection of an open design; nullptr: nothing is selected.
    void follow(DesignDocument* document, Selection* selection); ///< shares the selection
    [[nodiscard]] TimelineTracks& tracks() { return *tracks_; }
    [[nodiscard]] CollectiveModel& collectives() { return *collectives_; }
    /// The shown step; std::nullopt: none was measured yet.
    [[nodiscard]] std::optional<std::int64_t> step() const { return step_; }
    void showStep(std::int64_t step);
    /// True if the view shows the typical step, even when another step becomes typical.
    [[nodiscard]] bool isFollowing() const; ///< shows the typical step

Q_SIGNALS:
    void stepShown(std::int64_t step); ///< the view shows another step

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeHeader(QLayout& column);
    void grow(const RunGrowth& growth); ///< slot: the run has new data
    void fillSteps();                   ///< the choice of steps
    void showCurrent();                 ///< the chosen or typical step
    void showSelection();               ///< rings spans of selected layers
    void select(const QString& layer);  ///< by full name
    void distributeHeight();            ///< between tracks and table
    void applyLook();

    const Look& look_;
    const RunHub& hub_;
    const RunPrediction& prediction_;
    QPointer<DesignDocument> document_;
    QPointer<Selection> selection_;
    std::optional<std::int64_t> step_;
    QLabel* legendLabel_ = nullptr;
    QLabel* overlapLabel_ = nullptr; ///< share of communication that is hidden
    QComboBox* stepChoice_ = nullptr;
    QToolButton* followButton_ = nullptr; ///< shows the typical step
    QToolButton* fitButton_ = nullptr;
    QLabel* emptyLabel_ = nullptr;
    TimelineTracks* tracks_ = nullptr;
    QTableView* collectiveTable_ = nullptr;
    CollectiveModel* collectives_ = nullptr;
    QSplitter* splitter_ = nullptr;
    bool isSplitChosen_ = false;                     ///< the user has moved the splitter
    std::optional<std::int64_t> announcedStep_ = {}; ///< step that `stepShown` announced last
};

} // namespace weft::ui
