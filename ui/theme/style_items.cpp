// SPDX-License-Identifier: Apache-2.0
// Style of tabs, menus and headers, and the sizes of all controls.
#include "theme/look.h"
#include "theme/style.h"
#include "theme/symbols.h"

#include <QAbstractItemView>
#include <QPainter>
#include <QStyleOption>
#include <QTabBar>

namespace weft::ui {

bool Style::has(const QStyleOption& option, StateFlag flag) { return (option.state & flag) != 0; }

void Style::drawTab(const QStyleOption& option, QPainter& painter, const QWidget*) const {
    if (!has(option, State_Selected)) {
        return;
    }
    // Underlines the selected tab with two pixels of ink.
    const QRect& box = option.rect;
    painter.fillRect(QRect(box.left() + 2, box.bottom() - 1, box.width() - 4, 2),
                     theme_().accent.ink);
}

void Style::drawMenuItem(const QStyleOption& option, QPainter& painter) const {
    const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(&option);
    if (item == nullptr) {
        return;
    }
    const Theme& theme = theme_();
    const Sizes::Space& space = tokens().sizes.space;
    painter.fillRect(option.rect, theme.surface.overlay);
    if (item->menuItemType == QStyleOptionMenuItem::Separator) {
        painter.fillRect(option.rect.left() + space.m, option.rect.center().y(),
                         option.rect.width() - 2 * space.m, 1, theme.line.subtle);
        return;
    }
    const bool isEnabled = has(option, State_Enabled);
    if (has(option, State_Selected) && isEnabled) {
        painter.fillRect(option.rect.adjusted(space.xs, 0, -space.xs, 0),
                         theme.accent.selectionFill);
    }
    const double ratio = painter.device()->devicePixelRatioF();
    const QColor text = isEnabled ? theme.text.primary : theme.text.disabled;
    QRect left = option.rect.adjusted(space.l, 0, -space.l, 0);
    const QRect mark(left.left(), left.center().y() - 7, 16, 16);
    if (item->checkType != QStyleOptionMenuItem::NotCheckable) {
        if (item->checked) {
            painter.drawPixmap(mark.topLeft(),
                               symbol(QStringLiteral("states/good"), 16, text, ratio));
        }
    } else if (!item->icon.isNull()) {
        item->icon.paint(&painter, mark, Qt::AlignCenter,
                         isEnabled ? QIcon::Normal : QIcon::Disabled);
    }
    left.setLeft(left.left() + 24);
    const QStringList parts = item->text.split('\t');
    painter.setFont(item->font);
    painter.setPen(text);
    painter.drawText(left, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextShowMnemonic, parts[0]);
    if (item->menuItemType == QStyleOptionMenuItem::SubMenu) {
        painter.drawPixmap(
            left.right() - 12, left.center().y() - 5,
            symbol(QStringLiteral("actions/chevron-right"), 12, theme.text.tertiary, ratio));
    } else if (parts.size() > 1) {
        painter.setPen(isEnabled ? theme.text.tertiary : theme.text.disabled);
        painter.setFont(Look::sans(tokens().sizes.type.small));
        painter.drawText(left, Qt::AlignVCenter | Qt::AlignRight, parts[1]);
    }
}

void Style::drawMenuBarItem(const QStyleOption& option, QPainter& painter) const {
    const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(&option);
    if (item == nullptr) {
        return;
    }
    const Theme& theme = theme_();
    painter.fillRect(option.rect, theme.surface.window);
    const bool isOver = has(option, State_Selected) || has(option, State_Sunken);
    if (isOver) {
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.surface.raised);
        const int radius = tokens().sizes.radius.control;
        painter.drawRoundedRect(option.rect.adjusted(0, 3, 0, -3), radius, radius);
        painter.restore();
    }
    painter.setPen(isOver ? theme.text.primary : theme.text.secondary);
    painter.setFont(item->font);
    const bool isUnderlined = styleHint(SH_UnderlineShortcut, &option, nullptr, nullptr) != 0;
    painter.drawText(option.rect,
                     Qt::AlignCenter | (isUnderlined ? Qt::TextShowMnemonic : Qt::TextHideMnemonic),
                     item->text);
}

void Style::drawHeader(const QStyleOption& option, QPainter& painter) const {
    const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(&option);
    if (header == nullptr) {
        return;
    }
    painter.setFont(Look::sans(tokens().sizes.type.small));
    painter.setPen(theme_().text.tertiary);
    const int room = tokens().sizes.space.m;
    const QRect box = option.rect.adjusted(room, 0, -room, 0);
    painter.drawText(box, static_cast<int>(header->textAlignment) | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(header->text, Qt::ElideRight, box.width()));
}

void Style::drawProgress(const QStyleOption& option, QPainter& painter) const {
    const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(&option);
    if (bar == nullptr || bar->maximum <= bar->minimum) {
        return;
    }
    const QRect track(option.rect.left(), option.rect.center().y() - 2, option.rect.width(), 4);
    painter.fillRect(track, theme_().line.subtle);
    const double share =
        static_cast<double>(bar->progress - bar->minimum) / (bar->maximum - bar->minimum);
    painter.fillRect(QRect(track.topLeft(), QSize(static_cast<int>(track.width() * share), 4)),
                     theme_().accent.ink);
}

int Style::pixelMetric(PixelMetric metric, const QStyleOption* option,
                       const QWidget* widget) const {
    const Sizes& sizes = tokens().sizes;
    switch (metric) {
    case PM_ScrollBarExtent: return 10;
    case PM_DefaultFrameWidth:
        // Only text fields have a frame.
        return widget != nullptr && widget->inherits("QLineEdit") ? 1 : 0;
    case PM_ScrollBarSliderMin: return 24;
    case PM_SplitterWidth:
    case PM_DockWidgetSeparatorExtent: return 1;
    case PM_DockWidgetFrameWidth:
    case PM_DockWidgetTitleMargin:
    case PM_TabBarTabShiftVertical:
    case PM_TabBarTabShiftHorizontal:
    case PM_TabBarTabOverlap:
    case PM_TabBarBaseOverlap:
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
    case PM_ToolBarFrameWidth:
    case PM_MenuPanelWidth:
    case PM_MenuHMargin:
    case PM_MenuBarHMargin:
    case PM_MenuBarVMargin:
    case PM_MenuBarItemSpacing: return 0;
    case PM_TabBarTabHSpace: return 2 * sizes.space.m;
    case PM_TabBarTabVSpace: return sizes.space.m;
    case PM_MenuVMargin: return sizes.space.s;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight: return 16;
    case PM_TabCloseIndicatorWidth:
    case PM_TabCloseIndicatorHeight: return 20;
    case PM_CheckBoxLabelSpacing:
    case PM_RadioButtonLabelSpacing: return sizes.space.m;
    case PM_SmallIconSize:
    case PM_ButtonIconSize:
    case PM_ListViewIconSize:
    case PM_ToolBarIconSize: return sizes.size.icon;
    case PM_ToolTipLabelFrameWidth: return sizes.space.s;
    case PM_TreeViewIndentation: return sizes.space.xl;
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing: return sizes.space.m;
    default: return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

QSize Style::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                              const QWidget* widget) const {
    const Sizes& sizes = tokens().sizes;
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    switch (type) {
    case CT_PushButton: result = {size.width() + 2 * sizes.space.l, sizes.size.control}; break;
    case CT_ComboBox:
        result = {size.width() + 36, std::max(sizes.size.control, size.height() + 4)};
        break;
    case CT_LineEdit:
    case CT_SpinBox: result.setHeight(std::max(sizes.size.control, size.height() + 4)); break;
    case CT_MenuBarItem: result = {size.width() + 2 * 9, sizes.size.topBar - 12}; break;
    case CT_MenuItem: {
        const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
        if (item != nullptr && item->menuItemType == QStyleOptionMenuItem::Separator) {
            return {result.width(), 9};
        }
        const bool hasKey = item != nullptr && item->text.contains('\t');
        result = {size.width() + 24 + 2 * sizes.space.l + (hasKey ? 32 : 12), 26};
        break;
    }
    case CT_TabBarTab: result.setHeight(std::max(result.height(), sizes.size.dockTitle)); break;
    case CT_HeaderSection:
        result = {result.width() + 2 * sizes.space.m, sizes.size.rowTable + 2};
        break;
    case CT_ItemViewItem: result.setHeight(std::max(result.height(), sizes.size.row)); break;
    default: break;
    }
    return result;
}

QRect Style::subControlRect(ComplexControl control, const QStyleOptionComplex* option,
                            SubControl part, const QWidget* widget) const {
    if (control == CC_ComboBox) {
        const QRect& box = option->rect;
        if (part == SC_ComboBoxArrow) {
            return {box.right() - 22, box.top(), 20, box.height()};
        }
        if (part == SC_ComboBoxEditField) {
            return box.adjusted(6, 1, -24, -1);
        }
    }
    if (control == CC_SpinBox && part == SC_SpinBoxEditField) {
        return option->rect.adjusted(4, 1, -4, -1);
    }
    if (control == CC_ScrollBar) {
        // Scroll bars have no arrows, so the groove takes the whole length.
        const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
        const bool isUpright = bar != nullptr && bar->orientation == Qt::Vertical;
        const QRect& box = option->rect;
        if (part == SC_ScrollBarAddLine || part == SC_ScrollBarSubLine) {
            return {};
        }
        if (bar != nullptr && part == SC_ScrollBarGroove) {
            return box;
        }
        if (bar != nullptr) {
            const int whole = isUpright ? box.height() : box.width();
            const qint64 range = static_cast<qint64>(bar->maximum) - bar->minimum;
            const int length =
                range + bar->pageStep <= 0
                    ? whole
                    : std::clamp(static_cast<int>(whole * static_cast<qint64>(bar->pageStep) /
                                                  (range + bar->pageStep)),
                                 std::min(24, whole), whole);
            const int at = sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition,
                                                   whole - length, bar->upsideDown);
            int from = at;
            int size = length;
            if (part == SC_ScrollBarSubPage) {
                from = 0;
                size = at;
            } else if (part == SC_ScrollBarAddPage) {
                from = at + length;
                size = whole - from;
            } else if (part != SC_ScrollBarSlider) {
                return QProxyStyle::subControlRect(control, option, part, widget);
            }
            return isUpright ? QRect(box.left(), box.top() + from, box.width(), size)
                             : QRect(box.left() + from, box.top(), size, box.height());
        }
    }
    return QProxyStyle::subControlRect(control, option, part, widget);
}

QRect Style::subElementRect(SubElement element, const QStyleOption* option,
                            const QWidget* widget) const {
    if (element == SE_HeaderLabel) {
        return option->rect; // the same padding as cells
    }
    if (element == SE_LineEditContents) {
        const auto* field = qstyleoption_cast<const QStyleOptionFrame*>(option);
        const int inset = field != nullptr && field->lineWidth > 0 ? tokens().sizes.space.s : 2;
        return option->rect.adjusted(inset, 1, -inset, -1);
    }
    return QProxyStyle::subElementRect(element, option, widget);
}

int Style::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                     QStyleHintReturn* result) const {
    switch (hint) {
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
    case SH_ItemView_ArrowKeysNavigateIntoChildren: return 0;
    case SH_ToolTip_WakeUpDelay: return 400;
    case SH_Menu_MouseTracking:
    case SH_MenuBar_MouseTracking: return 1;
    case SH_TabBar_ElideMode: return Qt::ElideMiddle;
    case SH_TabBar_Alignment: return Qt::AlignLeft;
    case SH_ComboBox_Popup: return 0;
    case SH_ScrollView_FrameOnlyAroundContents: return 1;
    case SH_UnderlineShortcut: return 0;
    case SH_ItemView_ShowDecorationSelected: return 1;
    default: return QProxyStyle::styleHint(hint, option, widget, result);
    }
}

} // namespace weft::ui
