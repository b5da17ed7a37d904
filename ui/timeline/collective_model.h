// SPDX-License-Identifier: Apache-2.0
#pragma once
// The collectives of one step as a table model: kind, value, bytes, predicted and measured time,
// exposed time, waiting time of other devices, and the last device to arrive.

#include "runs/step_analysis.h"

#include <QAbstractTableModel>
#include <map>
#include <string>
#include <vector>

namespace weft::ui {

class CollectiveModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { kind, where, bytes, predicted, measured, exposed, waited, last, columns };
    /// Roles for the full name of the row's layer and for numeric sorting.
    enum Role { layerRole = Qt::UserRole, sortRole };

    using QAbstractTableModel::QAbstractTableModel;
    /// `names`: names of devices; a device without a name is shown by its number.
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
