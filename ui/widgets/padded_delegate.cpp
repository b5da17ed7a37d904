// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/padded_delegate.h"

#include "theme/look.h"

#include <QApplication>
#include <QPainter>

namespace weft::ui {

void PaddedDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const {
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QStyle* style = cell.widget != nullptr ? cell.widget->style() : QApplication::style();
    const QString text = std::exchange(cell.text, QString());
    style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
    const int room = Look::sizes().space.s;
    const QRect inside = cell.rect.adjusted(room, 0, -room, 0);
    painter->save();
    painter->setFont(cell.font);
    style->drawItemText(painter, inside, static_cast<int>(cell.displayAlignment), cell.palette,
                        cell.state.testFlag(QStyle::State_Enabled),
                        cell.fontMetrics.elidedText(text, cell.textElideMode, inside.width()),
                        QPalette::Text);
    painter->restore();
}

QSize PaddedDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(2 * Look::sizes().space.s, 0);
}

} // namespace weft::ui
