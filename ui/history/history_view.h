// SPDX-License-Identifier: Apache-2.0
#pragma once
// The list of runs in some folders and on known hosts: HistoryView(look, control), then
// `setPlaces`. While visible, it reloads every few seconds on another thread, so that runs started
// elsewhere appear; connected hosts are asked less often. The owner of the window handles its
// signals to open runs, designs and curves.

#include "history/run_model.h"
#include "launch/run_control.h"

#include <QThreadPool>
#include <QTimer>
#include <QWidget>
#include <functional>

class QAction;
class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;
class QSortFilterProxyModel;
class QTableView;

namespace weft::ui {

class Look;

class HistoryView : public QWidget {
    Q_OBJECT

public:
    HistoryView(const Look& look, RunControl& control, QWidget* parent = nullptr);
    ~HistoryView() override;

    void setPlaces(std::vector<RunPlace> places); ///< new runs go into the first one
    void setFolder(const QString& folder) { setPlaces({{.folder = folder}}); }
    [[nodiscard]] QString folder() const; ///< where new runs are created
    [[nodiscard]] RunModel& model() { return *model_; }
    [[nodiscard]] QStringList chosen() const; ///< folders of the selected runs
    void choose(const QStringList& folders);  ///< selects these runs
    void refresh();                           ///< reloads the list soon
    /// Replaces the message box that asks whether the runs may be deleted.
    void setConfirmation(std::function<bool(const QStringList& folders)> confirm);

    void openChosen();
    void deleteChosen();
    void resumeChosen();
    void resumeChosenHere();
    void copyCommand(); ///< copies the command that repeats the selected run

Q_SIGNALS:
    void runWanted(const QString& folder); ///< open this run
    /// Asks for the curves of these runs in one plot.
    void curvesWanted(const QStringList& folders);
    void designWanted(const QString& folder); ///< open this run's design
    void differenceWanted(const QString& before, const QString& after);
    void failed(const QString& message);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void makeTable();
    void makeButtons(QLayout& column);
    void enableButtons();
    /// Calls `run` with the local folder; for a run on another host, first copies it.
    void withCopy(const QString& folder, const std::function<void(const QString& folder)>& run);
    void showCurves();
    [[nodiscard]] QString whyNotDeleted(const QStringList& runs) const;
    /// Returns the runs that have a star, or those that have none.
    [[nodiscard]] QStringList filterByStar(const QStringList& runs, bool isStarred) const;
    [[nodiscard]] bool confirmDeletion(const QStringList& runs, const QStringList& kept);
    void showDifference();
    void deleteRun(const ListedRun& run);
    void takeRuns(int number, int editCount, std::vector<ListedRun> runs);

    const Look& look_;
    RunControl& control_;
    std::vector<RunPlace> places_;
    int requestNumber_ = 0; ///< number of the newest reload
    bool isReading_ = false;
    QThreadPool pool_;
    QTimer reloadTimer_;
    QTimer hostsTimer_; ///< requests the runs of connected hosts
    RunModel* model_ = nullptr;
    QSortFilterProxyModel* sortedModel_ = nullptr;
    QTableView* table_ = nullptr;
    QLineEdit* search_ = nullptr;
    QLabel* noRunsLabel_ = nullptr;
    QPushButton* open_ = nullptr;
    QPushButton* curves_ = nullptr;
    QPushButton* difference_ = nullptr;
    QPushButton* design_ = nullptr;
    QPushButton* resume_ = nullptr;
    QMenu* remoteResumeMenu_ = nullptr; ///< menu of `resume_` for a run on another host
    QAction* resumeOnHost_ = nullptr;
    QAction* resumeHere_ = nullptr;
    QPushButton* copy_ = nullptr;
    QPushButton* delete_ = nullptr;
    std::function<bool(const QStringList&)> askDeletion_;
};

} // namespace weft::ui
