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
    enum Column { level, time, rank, step, text, columns };
    LogModel(const Look& look, const RunHub& hub, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    void grow(const RunGrowth& growth);

    const Look& look_;
    const RunHub& hub_;
    int rows_ = 0;
};

class LogView : public QWidget {
    Q_OBJECT

public:
    LogView(const Look& look, const RunHub& hub, QWidget* parent = nullptr);
    [[nodiscard]] LogModel& model() { return *model_; }
    [[nodiscard]] QString failure() const;

private:
    void grow();

    const RunHub& hub_;
    LogModel* model_;
    QTableView* table_;
    QLabel* failure_;
};

} // namespace weft::ui
