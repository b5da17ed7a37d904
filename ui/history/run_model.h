// SPDX-License-Identifier: Apache-2.0
#pragma once
// A table model of the runs in folders and on other hosts, newest first, including runs started
// elsewhere. Note and star can be edited in place. Lives on the GUI thread and reads no files;
// another thread reads the runs.

#include "history/run_marks.h"
#include <weft/runs.h>

#include <QAbstractTableModel>
#include <vector>

namespace weft::ui {

struct ListedRun {
    RunSummary summary; ///< for a run on another host: from the local copy, if there is one
    RunMarks marks;     ///< the user's note and star
    bool isHere = true; ///< true if there is a local folder
    RunFigures figures = {};
    QString designChanges = {}; ///< differences of its design from the previous run's
};

/// Returns the devices of the last attempt by name.
[[nodiscard]] QStringList devicesOf(const ListedRun& run);

/// The runs that a host has reported.
struct HostRuns {
    std::string host;
    bool isUp = false; ///< the host is connected, so the report is recent
    std::vector<RunSummary> runs;
};

/// A folder that contains runs.
struct RunPlace {
    QString folder;
    QString design = {}; ///< name of a design, to list only its runs; empty: all runs
    bool operator==(const RunPlace&) const = default;
};

/// Reads all runs of these places and hosts, with or without a local copy. Must not be called on
/// the GUI thread.
[[nodiscard]] std::vector<ListedRun> readRuns(const std::vector<RunPlace>& places,
                                              const std::vector<HostRuns>& hosts,
                                              const std::vector<ListedRun>& previous);

class RunModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        star,
        run, ///< name of the run
        note,
        design,
        state,
        step,
        bestLoss,
        stepTime,
        devices,
        size,
        begun, ///< start time
        designChanges,
        columns ///< number of columns
    };
    enum Role {
        folderRole = Qt::UserRole, ///< path of the run's folder
        sortRole,                  ///< value to sort by
        stateRole                  ///< RunState as a number
    };

    using QAbstractTableModel::QAbstractTableModel;
    void setRuns(std::vector<ListedRun> runs); ///< rows that remain keep their selection
    [[nodiscard]] const std::vector<ListedRun>& runs() const { return runs_; }
    /// Number of edits of notes and stars in this model.
    [[nodiscard]] int editCount() const { return editCount_; }
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
    int editCount_ = 0;
};

} // namespace weft::ui
