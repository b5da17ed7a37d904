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
    void follow(DesignDocument* document, Selection* selection);
    [[nodiscard]] TimelineTracks& tracks() { return *tracks_; }
    [[nodiscard]] CollectiveModel& collectives() { return *collectives_; }
    /// The shown step; std::nullopt: none was measured yet.
    [[nodiscard]] std::optional<std::int64_t> step() const { return step_; }
    void showStep(std::int64_t step);
    /// True if the view shows the typical step, even when another step becomes typical.
    [[nodiscard]] bool isFollowing() const;

Q_SIGNALS:
    /// The view shows another step.
    void stepShown(std::int64_t step);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeHead(QLayout& column);
    void grow(const RunGrowth& growth);
    void fillSteps();
    void showCurrent();
    void showSelection();
    void select(const QString& layer);
    void share();
    void applyLook();

    const Look& look_;
    const RunHub& hub_;
    const RunPrediction& prediction_;
    QPointer<DesignDocument> document_;
    QPointer<Selection> selection_;
    std::optional<std::int64_t> step_;
    QLabel* legend_ = nullptr;
    QLabel* overlap_ = nullptr;
    QComboBox* steps_ = nullptr;
    QToolButton* following_ = nullptr;
    QToolButton* fit_ = nullptr;
    QLabel* empty_ = nullptr;
    TimelineTracks* tracks_ = nullptr;
    QTableView* table_ = nullptr;
    CollectiveModel* collectives_ = nullptr;
    QSplitter* parts_ = nullptr;
    bool areSharesChosen_ = false;          ///< chosen by the user
    std::optional<std::int64_t> told_ = {}; ///< step that was announced last
};

} // namespace weft::ui
