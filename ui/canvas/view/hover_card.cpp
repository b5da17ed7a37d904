// SPDX-License-Identifier: Apache-2.0
#include "canvas/view/hover_card.h"

#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>
#include <algorithm>
#include <iterator>

namespace weft::ui {

namespace {

constexpr int textWidth = 280;

QLabel* label(QWidget* parent, const QString& text, const QFont& font, const QColor& colour) {
    auto* made = new QLabel(text, parent);
    made->setFont(font);
    made->setTextFormat(Qt::PlainText);
    QPalette palette = made->palette();
    palette.setColor(QPalette::WindowText, colour);
    made->setPalette(palette);
    return made;
}

} // namespace

HoverCard::HoverCard(Look& look, QWidget& over) : QFrame(&over), look_(look) {
    setObjectName(QStringLiteral("hoverCard"));
    hide();
}

void HoverCard::open(const CardText& text, const QRect& beside) {
    qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
    delete layout();
    const Sizes::Type& type = tokens().sizes.type;
    const Theme& theme = look_.theme();
    auto* grid = new QGridLayout(this);
    const int rim = tokens().sizes.space.l;
    grid->setContentsMargins(rim, tokens().sizes.space.m, rim, tokens().sizes.space.m);
    grid->setHorizontalSpacing(rim);
    grid->setVerticalSpacing(tokens().sizes.space.xs);
    int row = 0;
    grid->addWidget(
        label(this, text.title, Look::sans(type.label, type.semibold), theme.text.primary), row, 0);
    grid->addWidget(label(this, text.kind, Look::sans(type.small), theme.text.tertiary), row++, 1,
                    Qt::AlignRight);
    for (const auto& [what, value] : text.rows) {
        grid->addWidget(label(this, what, Look::sans(type.small), theme.text.tertiary), row, 0);
        grid->addWidget(label(this, value, Look::mono(type.small), theme.text.primary), row++, 1,
                        Qt::AlignRight);
    }
    if (!text.problem.isEmpty()) {
        QLabel* problem = label(this, text.problem, Look::sans(type.small), theme.semantic.error);
        problem->setWordWrap(true);
        problem->setFixedWidth(textWidth);
        grid->addWidget(problem, row++, 0, 1, 2);
    }
    if (!text.fix.isEmpty() && !text.canMend) {
        QLabel* word =
            label(this, text.fix, Look::sans(type.small, type.semibold), theme.text.secondary);
        word->setWordWrap(true);
        word->setFixedWidth(textWidth);
        grid->addWidget(word, row, 0, 1, 2);
    } else if (!text.fix.isEmpty()) {
        auto* fix = new QToolButton(this);
        fix->setObjectName(QStringLiteral("fix"));
        fix->setText(text.fix);
        QFont font = Look::sans(type.small, type.semibold);
        font.setUnderline(true);
        fix->setFont(font);
        fix->setAutoRaise(true);
        fix->setFocusPolicy(Qt::NoFocus);
        fix->setCursor(Qt::PointingHandCursor);
        connect(fix, &QToolButton::clicked, this, &HoverCard::fixWanted);
        grid->addWidget(fix, row, 0, 1, 2, Qt::AlignLeft);
    }
    adjustSize();
    placeBeside(beside);
    show();
    raise();
}

void HoverCard::placeBeside(const QRect& beside) {
    const int gap = tokens().sizes.space.s;
    const QRect room = parentWidget()->rect().adjusted(gap, gap, -gap, -gap);
    // Positions beside the item, else below or above it, so that the card doesn't hide the item if
    // there is room.
    const QRect places[] = {{{beside.right() + gap, beside.top()}, size()},
                            {{beside.left() - gap - width(), beside.top()}, size()},
                            {{beside.left(), beside.bottom() + gap}, size()},
                            {{beside.left(), beside.top() - gap - height()}, size()}};
    const auto inside = [&](const QRect& place) {
        return QRect(std::max(room.left(), std::min(place.left(), room.right() + 1 - width())),
                     std::max(room.top(), std::min(place.top(), room.bottom() + 1 - height())),
                     width(), height());
    };
    const auto* free = std::ranges::find_if(
        places, [&](const QRect& place) { return !inside(place).intersects(beside); });
    move(inside(free == std::end(places) ? places[0] : *free).topLeft());
}

void HoverCard::leaveEvent(QEvent*) { hide(); }

void HoverCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(look_.theme().line.strong);
    painter.setBrush(look_.theme().surface.overlay);
    const int radius = tokens().sizes.radius.frame;
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
}

} // namespace weft::ui
