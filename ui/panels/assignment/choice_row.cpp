// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/assignment/choice_row.h"

#include "theme/quantity.h"
#include "widgets/shapes.h"

#include <QPainter>

namespace weft::ui {

namespace {

constexpr int rowHeight = 38;
constexpr int numberWidth = 54;

} // namespace

ChoiceRow::ChoiceRow(Look& look, const AssignmentChoice& choice, ChoiceDrawing drawing,
                     bool isPresent, QWidget* parent)
    : QAbstractButton(parent),
      look_(look),
      choice_(choice),
      drawing_(std::move(drawing)),
      isPresent_(isPresent) {
    setText(choice.title);
    setFixedHeight(rowHeight);
    setCheckable(true);
    setChecked(isPresent);
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::StrongFocus);
    say();
}

QSize ChoiceRow::sizeHint() const { return {280, rowHeight}; }

void ChoiceRow::setPrice(const ChoicePrice& price) {
    price_ = price;
    say();
    update();
}

void ChoiceRow::setScale(double now, double longest, bool isFastest) {
    now_ = now;
    longest_ = longest;
    isFastest_ = isFastest;
    say();
    update();
}

void ChoiceRow::say() {
    QStringList words{choice_.title};
    if (price_.step > 0) {
        words << tr("step %1").arg(quantity::time(price_.step))
              << tr("sent %1").arg(quantity::bytes(price_.sent))
              << tr("memory %1").arg(quantity::bytes(price_.memory));
    }
    if (isPresent_) {
        words << tr("now");
    }
    if (isFastest_) {
        words << tr("fastest");
    }
    setAccessibleName(words.join(QStringLiteral(", ")));
    setToolTip(words.join('\n'));
}

void ChoiceRow::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = look_.theme();
    const Sizes& sizes = tokens().sizes;
    if (isPresent_) {
        painter.fillRect(rect(), theme.accent.selectionFill);
        painter.fillRect(0, 0, 2, height(), theme.accent.ink);
    } else if (underMouse()) {
        painter.fillRect(rect(), theme.surface.hover);
    }
    painter.fillRect(0, height() - 1, width(), 1, theme.line.subtle);
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent.focus, sizes.stroke.focus));
        painter.drawRect(rect().adjusted(1, 1, -2, -2));
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
    const QRectF radio(12, height() / 2.0 - 7, 14, 14);
    painter.setPen(QPen(isPresent_ ? theme.accent.ink : theme.line.strong, 1.25));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(radio);
    if (isPresent_) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.accent.ink);
        painter.drawEllipse(radio.adjusted(4, 4, -4, -4));
    }
    // x · W → y
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    QRect box(34, height() / 2 - 9, 20, 18);
    for (const ValueDrawing* value : {&drawing_.x, &drawing_.weight, &drawing_.y}) {
        if (value->kind != ValueDrawing::Kind::none) {
            drawValue(painter, box, *value, theme, 1);
        }
        box.translate(box.left() == 34 ? 26 : 32, 0);
    }
    painter.restore();
    painter.setPen(theme.text.tertiary);
    painter.setFont(Look::sans(sizes.type.small));
    painter.drawText(QRect(54, 0, 6, height()), Qt::AlignCenter, QStringLiteral("·"));
    painter.drawText(QRect(80, 0, 12, height()), Qt::AlignCenter, QStringLiteral("→"));
    paintNumbers(painter, QRect(120, 0, width() - 120 - sizes.space.m, height()));
}

void ChoiceRow::paintNumbers(QPainter& painter, const QRect& room) {
    const Theme& theme = look_.theme();
    const Sizes& sizes = tokens().sizes;
    const int left = room.width() - 2 * numberWidth;
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(theme.text.primary);
    painter.setFont(Look::sans(sizes.type.body, isPresent_ ? 600 : 500));
    const QFontMetrics metrics = painter.fontMetrics();
    painter.drawText(QRect(room.left(), 4, left + 6, 17), Qt::AlignVCenter | Qt::AlignLeft,
                     metrics.elidedText(choice_.title, Qt::ElideRight, left + 6));
    if (price_.step > 0 && longest_ > 0) {
        const int bar = static_cast<int>((left - 8) * price_.step / longest_);
        const int nowAt = static_cast<int>((left - 8) * now_ / longest_);
        painter.setPen(theme.text.tertiary);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(room.left(), 25, std::max(2, bar), 4);
        for (int y = 22; y < 33; y += 3) {
            painter.fillRect(room.left() + nowAt, y, 1, 1, theme.accent.ink);
        }
    }
    painter.setFont(Look::mono(sizes.type.small));
    const auto write = [&](int column, const QString& words, const QColor& colour) {
        painter.setPen(colour);
        painter.drawText(QRect(room.right() - (2 - column) * numberWidth, 0, numberWidth, height()),
                         Qt::AlignVCenter | Qt::AlignRight, words);
    };
    write(0, price_.step > 0 ? quantity::time(price_.step) : quantity::none(),
          price_.step > 0 ? theme.text.primary : theme.text.tertiary);
    if (isPresent_) {
        write(1, tr("now"), theme.text.tertiary);
    } else if (price_.step > 0 && now_ > 0) {
        const double change = price_.step / now_ - 1;
        write(1, quantity::signedPercent(change),
              change < -0.0005 ? theme.semantic.ok : theme.text.tertiary);
    }
}

} // namespace weft::ui
