// SPDX-License-Identifier: Apache-2.0
#pragma once
// A tensor as a table model: the last dimension across, all others down; numbers are formatted on
// demand.

#include <weft/pictures.h>

#include <QAbstractTableModel>
#include <memory>

namespace weft::ui {

class NumberModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;
    void setTensor(std::shared_ptr<const TensorNumbers> tensor);
    [[nodiscard]] const TensorNumbers* tensor() const { return tensor_.get(); }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    /// Row headers are the indices of the other dimensions: "3, 0, 1".
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    std::shared_ptr<const TensorNumbers> tensor_;
    int rows_ = 0;
    int columns_ = 0;
};

} // namespace weft::ui
