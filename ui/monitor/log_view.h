// SPDX-License-Identifier: Apache-2.0
#pragma once
// The log of a run: LogView(look, hub), with level, rank, and time since the run began. It scrolls
// to new lines unless the user has scrolled up. A failure stays visible at the bottom.

#include "runs/run_hub.h"

#include <QAbstractTableModel>
#include <QWidget>

class QLabel;
class QTableView;

namespace weft::ui {

class Look;

class LogModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { level, time, rank, step, text, columns }; ///< `columns`: their number
    LogModel(const Look& look, const RunHub& hub, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    void grow(const RunGrowth& growth); ///< adds rows for new lines

    const Look& look_;
    const RunHub& hub_;
    int rows_ = 0; ///< lines shown so far
};

class LogView : public QWidget {
    Q_OBJECT

public:
    LogView(const Look& look, const RunHub& hub, QWidget* parent = nullptr);
    [[nodiscard]] LogModel& model() { return *model_; }
    [[nodiscard]] QString failure() const; ///< text of the run's failure; empty: none

private:
    void grow(); ///< slot: new lines; scrolls to the end if it was visible

    const RunHub& hub_;
    LogModel* model_;
    QTableView* table_;
    QLabel* failureLabel_; ///< below the table; hidden unless the run has failed
};

} // namespace weft::ui
