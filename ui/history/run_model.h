// SPDX-License-Identifier: Apache-2.0
#pragma once
// The runs of a folder and those of other hosts as a table, newest first; runs that were started
// elsewhere appear too. Note and star are edited in place. Lives on the GUI thread and reads no
// log: it is handed what a thread has read.

#include "history/run_marks.h"
#include <weft/runs.h>

#include <QAbstractTableModel>
#include <vector>

namespace weft::ui {

struct ListedRun {
    RunSummary summary; ///< of one on another host its copy's, as far as there is one
    RunMarks marks;
    bool isHere = true; ///< its folder is
    RunFigures figures = {};
    QString changed = {}; ///< what its design has that the run before it had not
};

/// Devices of the last attempt, by name.
[[nodiscard]] QStringList devicesOf(const ListedRun& run);

/// What a host said of its runs.
struct HostRuns {
    std::string host;
    bool isUp = false; ///< its line: what it said is of now, near enough
    std::vector<RunSummary> runs;
};

/// A folder in which runs are looked for.
struct RunPlace {
    QString folder;
    QString design = {}; ///< only runs of the design of this name; empty: all
    bool operator==(const RunPlace&) const = default;
};

/// All runs of some places and of those hosts, copied here or not, read now: not on the GUI thread.
[[nodiscard]] std::vector<ListedRun> readRuns(const std::vector<RunPlace>& places,
                                              const std::vector<HostRuns>& hosts,
                                              const std::vector<ListedRun>& known);

class RunModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        star,
        run,
        note,
        design,
        state,
        step,
        bestLoss,
        stepTime,
        devices,
        size,
        begun,
        changed,
        columns
    };
    enum Role { folderRole = Qt::UserRole, sortRole, stateRole };

    using QAbstractTableModel::QAbstractTableModel;
    /// Rows that stay keep their place in selections.
    void setRuns(std::vector<ListedRun> runs);
    [[nodiscard]] const std::vector<ListedRun>& runs() const { return runs_; }
    /// How often a note or star was set here.
    [[nodiscard]] int edits() const { return edits_; }
    [[nodiscard]] const ListedRun* find(const QString& folder) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

Q_SIGNALS:
    void failed(const QString& message);

private:
    std::vector<ListedRun> runs_;
    int edits_ = 0;
};

} // namespace weft::ui
