// SPDX-License-Identifier: Apache-2.0
// Draws a row of search results: icon, text with the matched letters in weight 600, place, and
// shortcut.
#include "theme/symbols.h"
#include "widgets/search_popup.h"

#include <QPainter>
#include <QStandardItem>
#include <QStyledItemDelegate>
#include <algorithm>
#include <functional>

namespace weft::ui {

namespace {

constexpr int chevron = 12;

class SearchDelegate : public QStyledItemDelegate {
public:
    SearchDelegate(Look& look, int rowHeight, QObject* parent)
        : QStyledItemDelegate(parent), look_(look), rowHeight_(rowHeight) {}

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        return {80, rowHeight_};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const Theme& theme = look_.theme();
        const Sizes& sizes = tokens().sizes;
        painter->save();
        if ((option.state & QStyle::State_Selected) != 0) {
            painter->fillRect(option.rect, theme.accent.selectionFill);
        } else if ((option.state & QStyle::State_MouseOver) != 0) {
            painter->fillRect(option.rect, theme.surface.hover);
        }
        const bool isEnabled = (index.flags() & Qt::ItemIsEnabled) != 0;
        const bool isHeading = (index.flags() & Qt::ItemIsSelectable) == 0;
        const QColor ink = isHeading   ? theme.text.tertiary
                           : isEnabled ? theme.text.primary
                                       : theme.text.disabled;
        QRect room = option.rect.adjusted(sizes.space.m + 2, 0, -sizes.space.m - 2, 0);
        if ((option.state & QStyle::State_Children) != 0) {
            QStyleOption mark = option;
            mark.rect = QRect(room.left(), room.top(), chevron, room.height());
            option.widget->style()->drawPrimitive(QStyle::PE_IndicatorBranch, &mark, painter,
                                                  option.widget);
            room.setLeft(room.left() + chevron + sizes.space.s);
        }
        const QString icon = index.data(iconRole).toString();
        if (!icon.isEmpty()) {
            const auto tint = index.data(tintRole).value<QColor>();
            painter->drawPixmap(room.left(), room.center().y() - 7,
                                symbol(icon, sizes.size.icon,
                                       tint.isValid() && isEnabled ? tint : ink,
                                       painter->device()->devicePixelRatioF()));
            room.setLeft(room.left() + sizes.size.icon + sizes.space.m);
        }
        const QString key = index.data(keyRole).toString();
        if (!key.isEmpty()) {
            painter->setFont(Look::mono(sizes.type.small));
            painter->setPen(theme.text.tertiary);
            painter->drawText(room, Qt::AlignVCenter | Qt::AlignRight, key);
            room.setRight(room.right() - painter->fontMetrics().horizontalAdvance(key) -
                          sizes.space.m);
        }
        drawText(*painter, room, index, ink);
        painter->restore();
    }

private:
    void drawText(QPainter& painter, const QRect& room, const QModelIndex& index,
                  const QColor& ink) const {
        const Sizes& sizes = tokens().sizes;
        const bool isHeading = (index.flags() & Qt::ItemIsSelectable) == 0;
        const QFont plain = Look::sans(isHeading ? sizes.type.small : sizes.type.body);
        const QFont strong = Look::sans(sizes.type.body, sizes.type.semibold);
        const QString text = index.data(Qt::DisplayRole).toString();
        QSet<int> matched;
        for (const QVariant& at : index.data(matchedRole).toList()) {
            matched.insert(at.toInt());
        }
        painter.setPen(ink);
        int x = room.left();
        const int base = room.center().y() + QFontMetrics(plain).ascent() / 2 - 1;
        for (int from = 0; from < text.size();) {
            int to = from;
            while (to < text.size() && matched.contains(to) == matched.contains(from)) {
                ++to;
            }
            painter.setFont(matched.contains(from) ? strong : plain);
            const QString piece = painter.fontMetrics().elidedText(
                text.mid(from, to - from), Qt::ElideRight, std::max(0, room.right() - x));
            painter.drawText(x, base, piece);
            x += painter.fontMetrics().horizontalAdvance(piece);
            from = to;
        }
        const QString where = index.data(whereRole).toString();
        painter.setFont(Look::sans(sizes.type.small));
        painter.setPen(look_.theme().text.tertiary);
        x += sizes.space.m;
        if (room.right() - x > 24) {
            painter.drawText(
                x, base, painter.fontMetrics().elidedText(where, Qt::ElideRight, room.right() - x));
        }
    }

    Look& look_;
    int rowHeight_;
};

} // namespace

std::vector<SearchRow> bestFirst(std::vector<std::pair<double, SearchRow>> found) {
    std::ranges::stable_sort(found, std::ranges::greater{}, &std::pair<double, SearchRow>::first);
    std::vector<SearchRow> rows;
    rows.reserve(found.size());
    for (auto& [score, row] : found) {
        rows.push_back(std::move(row));
    }
    return rows;
}

QStyledItemDelegate* makeSearchDelegate(Look& look, int rowHeight, QObject* parent) {
    return new SearchDelegate(look, rowHeight, parent);
}

QStandardItem* makeSearchItem(const SearchRow& row) {
    auto* item = new QStandardItem(row.text);
    item->setData(row.id, idRole);
    item->setData(row.where, whereRole);
    item->setData(row.key, keyRole);
    item->setData(row.icon, iconRole);
    item->setData(row.tint, tintRole);
    QVariantList matched;
    std::ranges::copy(row.matched, std::back_inserter(matched));
    item->setData(matched, matchedRole);
    item->setEnabled(row.isEnabled);
    item->setData(row.where.isEmpty() ? row.text : row.text + ", " + row.where,
                  Qt::AccessibleTextRole);
    return item;
}

} // namespace weft::ui
