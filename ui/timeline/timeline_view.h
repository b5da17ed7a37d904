// SPDX-License-Identifier: Apache-2.0
#pragma once
// When what ran where, live and afterwards, predicted above measured: TimelineView(look, hub,
// prediction) with a RunHub and its RunPrediction; `follow(document, selection)` ties it to the
// design that is looked at: a click on a span selects its layer there, what is selected there is
// ringed here. Below the tracks the collectives of the step.

#include "session/run_hub.h"
#include "session/run_prediction.h"
#include "session/selection.h"
#include "timeline/collective_model.h"
#include "timeline/timeline_tracks.h"

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

    /// Both may be nullptr: nothing is selected then.
    void follow(DesignDocument* document, Selection* selection);
    [[nodiscard]] TimelineTracks& tracks() { return *tracks_; }
    [[nodiscard]] CollectiveModel& collectives() { return *collectives_; }
    /// nullopt: none was measured yet.
    [[nodiscard]] std::optional<std::int64_t> step() const { return step_; }
    void showStep(std::int64_t step);
    /// Whether the typical step is shown, also when another becomes it.
    [[nodiscard]] bool isFollowing() const;

Q_SIGNALS:
    /// Another one than before.
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
    void dress();

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
    bool areSharesChosen_ = false;          ///< by hand
    std::optional<std::int64_t> told_ = {}; ///< as shown
};

} // namespace weft::ui
