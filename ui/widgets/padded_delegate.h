// SPDX-License-Identifier: Apache-2.0
#pragma once
// Cells of lists and tables whose text keeps its distance from the borders and from its neighbours.

#include <QStyledItemDelegate>

namespace weft::ui {

class PaddedDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override;
};

} // namespace weft::ui
