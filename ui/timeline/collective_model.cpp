// SPDX-License-Identifier: Apache-2.0
#include "timeline/collective_model.h"

#include "theme/look.h"
#include "theme/quantity.h"

namespace weft::ui {

namespace {

QString timeText(Nanoseconds time) {
    return time.count > 0 ? quantity::time(time) : quantity::none();
}

} // namespace

QString CollectiveModel::textOf(const CollectiveRow& row, int column) const {
    switch (column) {
    case CollectiveModel::kind: return QString::fromStdString(row.kind);
    case CollectiveModel::where: return QString::fromStdString(row.where);
    case CollectiveModel::bytes: return quantity::bytes(static_cast<double>(row.bytes.count));
    case CollectiveModel::predicted: return timeText(row.predicted);
    case CollectiveModel::measured: return timeText(row.measured);
    case CollectiveModel::exposed:
        return row.measured.count > 0 && row.exposed.count == 0 ? CollectiveModel::tr("hidden")
                                                                : timeText(row.exposed);
    case CollectiveModel::waited: return timeText(row.waited);
    case CollectiveModel::last: {
        if (row.lastToArrive.isNone() || row.measured.count == 0) {
            return quantity::none();
        }
        const auto name = names_.find(row.lastToArrive);
        return name == names_.end() ? QString::number(row.lastToArrive.value)
                                    : QString::fromStdString(name->second);
    }
    default: return {};
    }
}

QVariant CollectiveModel::sortValueOf(const CollectiveRow& row, int column) const {
    switch (column) {
    case CollectiveModel::bytes: return qlonglong(row.bytes.count);
    case CollectiveModel::predicted: return qlonglong(row.predicted.count);
    case CollectiveModel::measured: return qlonglong(row.measured.count);
    case CollectiveModel::exposed: return qlonglong(row.exposed.count);
    case CollectiveModel::waited: return qlonglong(row.waited.count);
    default: return textOf(row, column);
    }
}

void CollectiveModel::setRows(std::vector<CollectiveRow> rows,
                              std::map<DeviceId, std::string> names) {
    names_ = std::move(names);
    const bool isSame = rows.size() == rows_.size();
    if (isSame) {
        rows_ = std::move(rows);
        if (!rows_.empty()) {
            emit dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
        }
        return;
    }
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
}

int CollectiveModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int CollectiveModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columns;
}

QVariant CollectiveModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const CollectiveRow& row = rows_[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole: return textOf(row, index.column());
    case Qt::ToolTipRole: return QString::fromStdString(row.layer);
    case Qt::TextAlignmentRole:
        return index.column() >= bytes ? int(Qt::AlignRight | Qt::AlignVCenter)
                                       : int(Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::FontRole:
        return index.column() >= bytes ? Look::mono(Look::sizes().type.small)
                                       : Look::sans(Look::sizes().type.body);
    case layerRole: return QString::fromStdString(row.layer);
    case sortRole: return sortValueOf(row, index.column());
    default: return {};
    }
}

QVariant CollectiveModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return section >= bytes ? int(Qt::AlignRight | Qt::AlignVCenter)
                                : int(Qt::AlignLeft | Qt::AlignVCenter);
    }
    if (role == Qt::ToolTipRole && section == bytes) {
        return tr("In this step, on the device that sends most");
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case kind: return tr("Collective");
    case where: return tr("where");
    case bytes: return tr("sent per device");
    case predicted: return tr("predicted");
    case measured: return tr("measured");
    case exposed: return tr("exposed");
    case waited: return tr("waited");
    case last: return tr("last to arrive");
    default: return {};
    }
}

} // namespace weft::ui
