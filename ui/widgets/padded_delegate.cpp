// SPDX-License-Identifier: Apache-2.0
#include "widgets/padded_delegate.h"

#include "theme/look.h"

#include <QApplication>
#include <QPainter>

namespace weft::ui {

namespace {

/// Returns the margin that the style adds itself.
int styleMargin(const QStyle& style, const QWidget* widget) {
    return style.pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, widget) + 1;
}

const QStyle& styleOf(const QStyleOptionViewItem& option) {
    return option.widget != nullptr ? *option.widget->style() : *QApplication::style();
}

} // namespace

void PaddedDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const {
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QStyle& style = styleOf(cell);
    style.drawPrimitive(QStyle::PE_PanelItemViewItem, &cell, painter, cell.widget);
    if (cell.state.testFlag(QStyle::State_HasFocus)) {
        QStyleOptionFocusRect focus;
        focus.state = cell.state | QStyle::State_KeyboardFocusChange;
        focus.rect = cell.rect;
        style.drawPrimitive(QStyle::PE_FrameFocusRect, &focus, painter, cell.widget);
    }
    // Draws the content over the background.
    const int room = Look::sizes().space.m - styleMargin(style, cell.widget);
    cell.rect.adjust(room, 0, -room, 0);
    cell.backgroundBrush = Qt::NoBrush;
    cell.state &= ~(QStyle::State_Selected | QStyle::State_MouseOver | QStyle::State_HasFocus);
    style.drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
}

QSize PaddedDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const int room = Look::sizes().space.m - styleMargin(styleOf(option), option.widget);
    return QStyledItemDelegate::sizeHint(option, index) + QSize(2 * room, 0);
}

} // namespace weft::ui
