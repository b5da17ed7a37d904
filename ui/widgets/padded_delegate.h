// SPDX-License-Identifier: Apache-2.0
#pragma once
// Delegate for lists and tables that adds padding to the cells.

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
