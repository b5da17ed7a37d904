// SPDX-License-Identifier: Apache-2.0
#include "theme/style.h"

#include "theme/look.h"
#include "theme/symbols.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QFrame>
#include <QPainter>
#include <QPainterPath>
#include <QRegularExpression>
#include <QStyleOption>
#include <QWidget>

namespace weft::ui {

namespace {

constexpr const char* primaryProperty = "weftPrimary";

void roundBox(QPainter& painter, const QRect& box, double radius, const QColor& fill,
              const QColor& line) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(line.isValid() ? QPen(line, 1) : QPen(Qt::NoPen));
    painter.setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    painter.restore();
}

bool isPrimary(const QWidget* widget) {
    return widget != nullptr && widget->property(primaryProperty).toBool();
}

} // namespace

void makePrimary(QWidget& button) { button.setProperty(primaryProperty, true); }

void setTier(QWidget& label, Tier tier) {
    label.setForegroundRole(tier == Tier::primary     ? QPalette::WindowText
                            : tier == Tier::secondary ? QPalette::BrightText
                                                      : QPalette::PlaceholderText);
}

Style::Style(std::function<const Theme&()> theme)
    : QProxyStyle(QStringLiteral("Fusion")), theme_(std::move(theme)) {}

void Style::polish(QWidget* widget) {
    QProxyStyle::polish(widget);
    if (widget->inherits("QAbstractButton") || widget->inherits("QComboBox") ||
        widget->inherits("QTabBar") || widget->inherits("QAbstractSpinBox")) {
        widget->setAttribute(Qt::WA_Hover);
    }
    if (auto* view = qobject_cast<QAbstractItemView*>(widget)) {
        view->setFrameShape(QFrame::NoFrame);
        // A list has no field background, since nothing is typed into it.
        view->viewport()->setBackgroundRole(QPalette::Window);
    }
}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                          const QWidget* widget) const {
    const Theme& theme = theme_();
    const Sizes::Radius& radius = tokens().sizes.radius;
    switch (element) {
    case PE_PanelButtonCommand:
    case PE_PanelButtonTool:
    case PE_FrameButtonTool: drawButton(*option, *painter, widget); return;
    case PE_PanelLineEdit:
    case PE_FrameLineEdit:
        if (widget != nullptr && (widget->parentWidget() != nullptr) &&
            (widget->parentWidget()->inherits("QComboBox") ||
             widget->parentWidget()->inherits("QAbstractSpinBox"))) {
            return; // drawn by its parent
        }
        roundBox(*painter, option->rect, radius.control, theme.surface.field,
                 has(*option, State_HasFocus) ? theme.accent.focus : theme.line.normal);
        return;
    case PE_FrameFocusRect: drawFocus(*option, *painter); return;
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
    case PE_IndicatorRadioButton: drawIndicator(element, *option, *painter); return;
    case PE_Frame:
    case PE_FrameGroupBox:
    case PE_FrameTabWidget:
    case PE_FrameTabBarBase:
    case PE_FrameDockWidget:
    case PE_FrameStatusBarItem: return;
    case PE_PanelStatusBar: painter->fillRect(option->rect, theme.surface.window); return;
    case PE_FrameMenu:
    case PE_PanelMenu:
    case PE_PanelTipLabel:
        painter->fillRect(option->rect, theme.surface.overlay);
        painter->setPen(theme.line.strong);
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        return;
    case PE_IndicatorBranch:
        if (has(*option, State_Children)) {
            drawChevron(*option, *painter, !has(*option, State_Open));
        }
        return;
    case PE_PanelItemViewRow: return;
    case PE_PanelItemViewItem: drawItem(*option, *painter); return;
    case PE_IndicatorTabClose: drawClose(*option, *painter); return;
    case PE_IndicatorArrowDown:
    case PE_IndicatorArrowUp: drawChevron(*option, *painter, false); return;
    case PE_IndicatorArrowRight:
    case PE_IndicatorArrowLeft: drawChevron(*option, *painter, true); return;
    default: QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void Style::drawItem(const QStyleOption& option, QPainter& painter) const {
    const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(&option);
    if (item != nullptr && item->backgroundBrush.style() != Qt::NoBrush) {
        painter.fillRect(option.rect, item->backgroundBrush);
    }
    if (has(option, State_Selected)) {
        painter.fillRect(option.rect, theme_().accent.selectionFill);
    } else if (has(option, State_MouseOver) && has(option, State_Enabled)) {
        painter.fillRect(option.rect, theme_().surface.hover);
    }
}

void Style::drawChevron(const QStyleOption& option, QPainter& painter, bool isRight) const {
    const QPixmap mark = symbol(isRight ? QStringLiteral("actions/chevron-right")
                                        : QStringLiteral("actions/chevron-down"),
                                12, theme_().text.tertiary, painter.device()->devicePixelRatioF());
    painter.drawPixmap(option.rect.center() - QPoint(6, 6), mark);
}

void Style::drawClose(const QStyleOption& option, QPainter& painter) const {
    const Theme& theme = theme_();
    const bool isOver = has(option, State_MouseOver) && has(option, State_Enabled);
    if (isOver) {
        roundBox(painter, option.rect, tokens().sizes.radius.control,
                 has(option, State_Sunken) ? theme.surface.raised : theme.surface.hover, {});
    }
    const int size = tokens().sizes.size.icon;
    const QPixmap cross = symbol(QStringLiteral("actions/close"), size,
                                 isOver ? theme.text.primary : theme.text.tertiary,
                                 painter.device()->devicePixelRatioF());
    painter.drawPixmap(
        QStyle::alignedRect(option.direction, Qt::AlignCenter, {size, size}, option.rect), cross);
}

void Style::drawFocus(const QStyleOption& option, QPainter& painter) const {
    // Drawn only after keyboard navigation; after a click, the position is obvious.
    if (!has(option, State_KeyboardFocusChange)) {
        return;
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(theme_().accent.focus, tokens().sizes.stroke.focus));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -1, -1),
                            tokens().sizes.radius.control, tokens().sizes.radius.control);
    painter.restore();
}

void Style::drawButton(const QStyleOption& option, QPainter& painter, const QWidget* widget) const {
    const Theme& theme = theme_();
    const int radius = tokens().sizes.radius.control;
    const bool isOver = has(option, State_MouseOver) && has(option, State_Enabled);
    const bool isOn = has(option, State_On) || has(option, State_Sunken);
    if (isPrimary(widget)) {
        const QColor fill = !has(option, State_Enabled) ? theme.surface.raised
                            : isOver                    ? theme.accent.inkHover
                                                        : theme.accent.ink;
        roundBox(painter, option.rect, radius, fill, {});
        return;
    }
    const auto* button = qstyleoption_cast<const QStyleOptionButton*>(&option);
    const bool isFlat = button == nullptr || (button->features & QStyleOptionButton::Flat) != 0;
    if (isFlat) {
        if (isOn || isOver) {
            roundBox(painter, option.rect, radius,
                     isOn ? theme.surface.raised : theme.surface.hover, {});
        }
        return;
    }
    roundBox(painter, option.rect, radius,
             isOn     ? theme.surface.hover
             : isOver ? theme.surface.hover
                      : theme.surface.raised,
             theme.line.normal);
}

void Style::drawIndicator(PrimitiveElement element, const QStyleOption& option,
                          QPainter& painter) const {
    const Theme& theme = theme_();
    const bool isOn = has(option, State_On);
    const QColor fill = isOn && has(option, State_Enabled) ? theme.accent.ink : theme.surface.field;
    const QColor line = isOn ? theme.accent.ink : theme.line.strong;
    if (element == PE_IndicatorRadioButton) {
        const QRect box = option.rect;
        roundBox(painter, box, box.width() / 2.0, fill, line);
        if (isOn) {
            roundBox(painter, box.adjusted(5, 5, -5, -5), 4, theme.text.onInk, {});
        }
        return;
    }
    roundBox(painter, option.rect, 3, fill, line);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    const QRectF box = option.rect;
    if (has(option, State_NoChange)) {
        painter.setPen(QPen(theme.text.secondary, 1.75));
        painter.drawLine(QPointF(box.left() + 4, box.center().y()),
                         QPointF(box.right() - 4, box.center().y()));
    } else if (isOn) {
        painter.setPen(QPen(theme.text.onInk, 1.75, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPolyline(QPolygonF({{box.left() + 3.5, box.center().y() + 0.5},
                                        {box.left() + 6.5, box.bottom() - 4},
                                        {box.right() - 3.5, box.top() + 4.5}}));
    }
    painter.restore();
}

void Style::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                        const QWidget* widget) const {
    const Theme& theme = theme_();
    switch (element) {
    case CE_TabBarTabShape: drawTab(*option, *painter, widget); return;
    case CE_TabBarTabLabel: {
        if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option)) {
            QStyleOptionTab quiet(*tab);
            const bool isChosen = has(*option, State_Selected);
            quiet.palette.setColor(QPalette::WindowText, isChosen || has(*option, State_MouseOver)
                                                             ? theme.text.primary
                                                             : theme.text.secondary);
            quiet.state &= ~State_HasFocus;
            painter->setFont(Look::sans(tokens().sizes.type.body, isChosen ? 600 : 500));
            QProxyStyle::drawControl(element, &quiet, painter, widget);
        }
        return;
    }
    case CE_MenuItem: drawMenuItem(*option, *painter); return;
    case CE_MenuEmptyArea: painter->fillRect(option->rect, theme.surface.overlay); return;
    case CE_MenuBarItem: drawMenuBarItem(*option, *painter); return;
    case CE_MenuBarEmptyArea: painter->fillRect(option->rect, theme.surface.window); return;
    case CE_HeaderSection: painter->fillRect(option->rect, theme.surface.dock); return;
    case CE_HeaderLabel: drawHeader(*option, *painter); return;
    case CE_HeaderEmptyArea: painter->fillRect(option->rect, theme.surface.dock); return;
    case CE_Splitter: painter->fillRect(option->rect, theme.line.subtle); return;
    case CE_ShapedFrame: {
        const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
        if (frame != nullptr &&
            (frame->frameShape == QFrame::HLine || frame->frameShape == QFrame::VLine)) {
            painter->fillRect(option->rect, theme.line.subtle);
        }
        return;
    }
    case CE_PushButtonLabel:
        if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
            QStyleOptionButton label(*button);
            if (isPrimary(widget) && has(*option, State_Enabled)) {
                label.palette.setColor(QPalette::ButtonText, theme.text.onInk);
            }
            QProxyStyle::drawControl(element, &label, painter, widget);
        }
        return;
    case CE_ProgressBarGroove: return;
    case CE_ProgressBarContents: drawProgress(*option, *painter); return;
    case CE_ProgressBarLabel: return;
    default: QProxyStyle::drawControl(element, option, painter, widget);
    }
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                               QPainter* painter, const QWidget* widget) const {
    switch (control) {
    case CC_ScrollBar: drawScrollBar(*option, *painter, widget); return;
    case CC_ComboBox: drawCombo(*option, *painter, widget); return;
    case CC_SpinBox: drawSpin(*option, *painter, widget); return;
    default: QProxyStyle::drawComplexControl(control, option, painter, widget);
    }
}

void Style::drawCombo(const QStyleOptionComplex& option, QPainter& painter,
                      const QWidget* widget) const {
    const Theme& theme = theme_();
    const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(&option);
    const bool isOver = has(option, State_MouseOver) && has(option, State_Enabled);
    if (combo == nullptr || combo->frame) {
        roundBox(painter, option.rect, tokens().sizes.radius.control,
                 combo != nullptr && combo->editable ? theme.surface.field
                 : isOver                            ? theme.surface.hover
                                                     : theme.surface.field,
                 has(option, State_HasFocus) && has(option, State_KeyboardFocusChange)
                     ? theme.accent.focus
                     : theme.line.normal);
    } else if (isOver) {
        roundBox(painter, option.rect, tokens().sizes.radius.control, theme.surface.hover, {});
    }
    const QRect arrow = subControlRect(CC_ComboBox, &option, SC_ComboBoxArrow, widget);
    const QColor colour = has(option, State_Enabled) ? theme.text.tertiary : theme.text.disabled;
    painter.drawPixmap(arrow.center() - QPoint(5, 5),
                       symbol(QStringLiteral("actions/chevron-down"), 12, colour,
                              painter.device()->devicePixelRatioF()));
}

void Style::drawSpin(const QStyleOptionComplex& option, QPainter& painter, const QWidget*) const {
    const Theme& theme = theme_();
    roundBox(painter, option.rect, tokens().sizes.radius.control, theme.surface.field,
             has(option, State_HasFocus) ? theme.accent.focus : theme.line.normal);
}

void Style::drawScrollBar(const QStyleOptionComplex& option, QPainter& painter,
                          const QWidget* widget) const {
    const Theme& theme = theme_();
    const QRect slider = subControlRect(CC_ScrollBar, &option, SC_ScrollBarSlider, widget);
    const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(&option);
    if (bar == nullptr || bar->maximum <= bar->minimum) {
        return;
    }
    const bool isOver = has(option, State_MouseOver);
    const bool isUpright = bar->orientation == Qt::Vertical;
    const int inset = isOver ? 2 : 3;
    const QRect thumb =
        isUpright ? slider.adjusted(inset, 1, -inset, -1) : slider.adjusted(1, inset, -1, -inset);
    roundBox(painter, thumb, std::min(thumb.width(), thumb.height()) / 2.0,
             isOver ? theme.line.strong : theme.line.normal, {});
}

QString htmlOf(const QString& text) {
    static const QRegularExpression code(QStringLiteral("`([^`\n]+)`"));
    return text.toHtmlEscaped().replace(code, QStringLiteral("<code>\\1</code>"));
}

QString firstSentence(const QString& text) {
    const qsizetype end = text.indexOf(QLatin1String(". "));
    return end < 0 ? text : text.left(end + 1);
}

QString paragraphs(const QString& text) {
    QString html = htmlOf(text);
    html.replace(QLatin1String("\n\n"), QLatin1String("</p><p>"));
    html.replace('\n', QLatin1String("<br>"));
    return html.isEmpty() ? html : "<p>" + html + "</p>";
}

} // namespace weft::ui
