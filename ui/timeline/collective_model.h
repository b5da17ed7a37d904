// SPDX-License-Identifier: Apache-2.0
#pragma once
// The collectives of one step as a table: what, where, bytes, predicted, measured, exposed, how
// long others were waited for, the device that came last.

#include "session/step_analysis.h"

#include <QAbstractTableModel>
#include <map>
#include <string>
#include <vector>

namespace weft::ui {

class CollectiveModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { kind, where, bytes, predicted, measured, exposed, waited, last, columns };
    /// The full name of the row's layer, and numbers to sort by.
    enum Role { layerRole = Qt::UserRole, sortRole };

    using QAbstractTableModel::QAbstractTableModel;
    /// `names`: of devices; one that has none is told by its number.
    void setRows(std::vector<CollectiveRow> rows, std::map<DeviceId, std::string> names = {});
    [[nodiscard]] const std::vector<CollectiveRow>& rows() const { return rows_; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    [[nodiscard]] QString textOf(const CollectiveRow& row, int column) const;
    [[nodiscard]] QVariant sortValueOf(const CollectiveRow& row, int column) const;

    std::vector<CollectiveRow> rows_;
    std::map<DeviceId, std::string> names_;
};

} // namespace weft::ui
