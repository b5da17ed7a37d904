// SPDX-License-Identifier: Apache-2.0
#pragma once
// Every run of some folders, and those of the hosts that are known: HistoryView(look, control),
// then `setPlaces`. It looks again every few seconds while it is seen, on another thread, so that
// runs started elsewhere appear; hosts are asked for theirs too, less often, where their line is
// up. What it cannot do by itself it asks for by signals: who owns the window opens runs, designs
// and curves.

#include "history/run_model.h"
#include "session/run_control.h"

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

    /// New runs are kept in the first place.
    void setPlaces(std::vector<RunPlace> places);
    void setFolder(const QString& folder) { setPlaces({{.folder = folder}}); }
    [[nodiscard]] QString folder() const;
    [[nodiscard]] RunModel& model() { return *model_; }
    [[nodiscard]] QStringList chosen() const;
    void choose(const QStringList& folders);
    /// Reads the folder anew, soon.
    void refresh();
    /// Instead of a message box: whether the runs may go.
    void setConfirmation(std::function<bool(const QStringList& folders)> confirm);

    void openChosen();
    void deleteChosen();
    void resumeChosen();
    void resumeChosenHere();
    void copyCommand();

Q_SIGNALS:
    void runWanted(const QString& folder);
    /// The curves of these over each other.
    void curvesWanted(const QStringList& folders);
    void designWanted(const QString& folder);
    void differenceWanted(const QString& before, const QString& after);
    void failed(const QString& message);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void makeTable();
    void makeFoot(QLayout& column);
    void showChoice();
    /// Once a copy of it is here, where it runs on another host.
    void withCopy(const QString& folder, const std::function<void(const QString& folder)>& run);
    void showCurves();
    [[nodiscard]] QString whyNotDeleted(const QStringList& runs) const;
    /// Those of them that have a star, or have none.
    [[nodiscard]] QStringList withStar(const QStringList& runs, bool isStarred) const;
    [[nodiscard]] bool confirmed(const QStringList& runs, const QStringList& kept);
    void showDifference();
    void remove(const ListedRun& run);
    void take(int number, int edits, std::vector<ListedRun> runs);

    const Look& look_;
    RunControl& control_;
    std::vector<RunPlace> places_;
    int asked_ = 0;
    bool isReading_ = false;
    QThreadPool pool_;
    QTimer timer_;
    QTimer hostsTimer_;
    RunModel* model_ = nullptr;
    QSortFilterProxyModel* sorted_ = nullptr;
    QTableView* table_ = nullptr;
    QLineEdit* search_ = nullptr;
    QLabel* empty_ = nullptr;
    QPushButton* open_ = nullptr;
    QPushButton* curves_ = nullptr;
    QPushButton* difference_ = nullptr;
    QPushButton* design_ = nullptr;
    QPushButton* resume_ = nullptr;
    QMenu* ofHosts_ = nullptr; ///< of `resume_`, for a run on another host
    QAction* resumeThere_ = nullptr;
    QAction* resumeHere_ = nullptr;
    QPushButton* copy_ = nullptr;
    QPushButton* delete_ = nullptr;
    std::function<bool(const QStringList&)> confirm_;
};

} // namespace weft::ui
