// SPDX-License-Identifier: Apache-2.0
#include "tensors/number_model.h"

#include "theme/look.h"
#include "theme/quantity.h"

#include <QStringList>
#include <algorithm>
#include <limits>

namespace weft::ui {

void NumberModel::setTensor(std::shared_ptr<const TensorNumbers> tensor) {
    beginResetModel();
    tensor_ = std::move(tensor);
    rows_ = 0;
    columns_ = 0;
    if (tensor_ && !tensor_->numbers.empty()) {
        const std::int64_t across = tensor_->shape.empty() ? 1 : tensor_->shape.back();
        const auto count = static_cast<std::int64_t>(tensor_->numbers.size());
        columns_ = static_cast<int>(std::clamp<std::int64_t>(across, 1, count));
        rows_ = static_cast<int>(
            std::min<std::int64_t>(count / columns_, std::numeric_limits<int>::max()));
    }
    endResetModel();
}

int NumberModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : rows_; }
int NumberModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columns_;
}

QVariant NumberModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rows_ || index.column() >= columns_) {
        return {};
    }
    const std::size_t at =
        static_cast<std::size_t>(index.row()) * static_cast<std::size_t>(columns_) +
        static_cast<std::size_t>(index.column());
    switch (role) {
    case Qt::DisplayRole: return quantity::number(static_cast<double>(tensor_->numbers[at]), 4);
    case Qt::TextAlignmentRole: return int(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::FontRole: return Look::mono(Look::sizes().type.small);
    default: return {};
    }
}

QVariant NumberModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole || !tensor_) {
        return {};
    }
    if (orientation == Qt::Horizontal || tensor_->shape.size() < 2) {
        return section;
    }
    QStringList place;
    std::int64_t rest = section;
    for (std::size_t dim = tensor_->shape.size() - 1; dim-- > 0;) {
        const std::int64_t size = std::max<std::int64_t>(tensor_->shape[dim], 1);
        place.prepend(QString::number(rest % size));
        rest /= size;
    }
    return place.join(QStringLiteral(", "));
}

} // namespace weft::ui
