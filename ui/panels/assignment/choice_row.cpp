// SPDX-License-Identifier: Apache-2.0
#include "panels/assignment/choice_row.h"

#include "theme/quantity.h"
#include "theme/style.h"
#include "widgets/shapes.h"

#include <QPainter>

namespace weft::ui {

namespace {

constexpr int rowHeight = 40;
constexpr int sendsHeight = 15; ///< height of an additional line
constexpr int wordsAt = 96;     ///< left edge of the text, after the radio button and the drawing
constexpr int stepWidth = 50;
constexpr int changeWidth = 54;
constexpr int wideNumber = 72;
constexpr int wideWords = 130;
/// From this width on, all numbers are in one line, and the memory of each device is shown beside
/// the peak.
constexpr int widePanel = 560;
constexpr int eachWidth = 84;

/// Positions of a row's parts for a given width.
struct Columns {
    explicit Columns(int width)
        : isWide(width >= widePanel), right(width - tokens().sizes.space.m) {
        const int line = isWide ? rowHeight : rowHeight / 2;
        const int taken = isWide ? 4 * wideNumber + eachWidth : stepWidth + changeWidth;
        words = {wordsAt, 0, isWide ? wideWords : right - taken - wordsAt - 4, line};
        bar = isWide ? QRect(wordsAt + wideWords, line / 2 - 2,
                             right - taken - wordsAt - wideWords - 8, 5)
                     : QRect(wordsAt, line + line / 2 - 4, right - taken - wordsAt - 8, 5);
    }
    /// Returns the rectangle of a number: step, change, sent, memory.
    [[nodiscard]] QRect number(int column) const {
        if (isWide) {
            return {right - eachWidth - (4 - column) * wideNumber, 0, wideNumber, rowHeight};
        }
        const bool isFirst = column % 2 == 0;
        const int width = isFirst ? stepWidth : changeWidth;
        return {right - (isFirst ? stepWidth + changeWidth : changeWidth),
                column < 2 ? 2 : rowHeight / 2 - 2, width, rowHeight / 2};
    }
    /// Returns the rectangle for the memory of each device; used only in a wide row.
    [[nodiscard]] QRect each() const {
        const int gap = tokens().sizes.space.l;
        return {right - eachWidth + gap, 0, eachWidth - gap, rowHeight};
    }
    bool isWide;
    int right;
    QRect words;
    QRect bar;
};

} // namespace

ChoiceRow::ChoiceRow(Look& look, const AssignmentChoice& choice, bool isPresent, QWidget* parent)
    : QAbstractButton(parent), look_(look), choice_(choice), isPresent_(isPresent) {
    setText(choice.title);
    setFixedHeight(rowHeight);
    setCheckable(true);
    setChecked(isPresent);
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::StrongFocus);
    updateAccessibleText();
}

QSize ChoiceRow::sizeHint() const { return {280, rowHeight}; }

void ChoiceRow::enterEvent(QEnterEvent* event) {
    QAbstractButton::enterEvent(event);
    Q_EMIT pointedAt();
}

void ChoiceRow::focusInEvent(QFocusEvent* event) {
    QAbstractButton::focusInEvent(event);
    Q_EMIT pointedAt();
}

void ChoiceRow::setPrice(const ChoicePrice& price, LayerDrawing drawing,
                         const QString& sendFrequency) {
    price_ = price;
    drawing_ = std::move(drawing);
    sendFrequency_ = sendFrequency;
    setFixedHeight(rowHeight + (sendFrequency_.isEmpty() ? 0 : sendsHeight));
    updateAccessibleText();
    update();
}

void ChoiceRow::setScale(double now, double longest, double mostMemory, bool isFastest) {
    presentStep_ = now;
    longestStep_ = longest;
    largestMemory_ = mostMemory;
    isFastest_ = isFastest;
    updateAccessibleText();
    update();
}

void ChoiceRow::updateAccessibleText() {
    QStringList words{choice_.title, choice_.meaning};
    if (price_.step > 0) {
        words << tr("step %1").arg(quantity::time(price_.step))
              << tr("sent per device %1").arg(quantity::bytes(price_.sent));
        if (!sendFrequency_.isEmpty()) {
            words << tr("per device %1").arg(sendFrequency_);
        }
        for (const ChoicePrice::Device& device : price_.devices) {
            if (device.overflows()) {
                words << (device.sharedNeed > device.memory
                              ? tr("%1 and the devices that share its memory: the run needs %2 of "
                                   "%3 and overflows")
                              : tr("%1: the run needs %2 of %3 and overflows"))
                             .arg(device.name, quantity::bytes(device.sharedNeed),
                                  quantity::bytes(device.available));
            } else if (device.memory > 0) {
                words
                    << tr("%1: the run needs %2").arg(device.name, quantity::bytes(device.memory));
            }
        }
    }
    if (isPresent_) {
        words << tr("now");
    }
    if (isFastest_) {
        words << tr("fastest");
    }
    setAccessibleName(words.join(QStringLiteral(", ")));
    QString tip = words.join('\n');
    if (!choice_.help.isEmpty()) {
        tip += "\n\n" + choice_.help;
    }
    setToolTip(paragraphs(tip));
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
    const QRectF radio(7, rowHeight / 2.0 - 7, 14, 14);
    painter.setPen(QPen(isPresent_ ? theme.accent.ink : theme.line.strong, 1.25));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(radio);
    if (isPresent_) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.accent.ink);
        painter.drawEllipse(radio.adjusted(4, 4, -4, -4));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (drawing_.y.kind != ValueDrawing::Kind::none) {
        paintDrawing(painter);
    }
    paintTexts(painter);
    paintNumbers(painter);
}

/// Draws x · W → y.
void ChoiceRow::paintDrawing(QPainter& painter) {
    const Theme& theme = look_.theme();
    QRect box(26, rowHeight / 2 - 8, 16, 16);
    for (const ValueDrawing* value : {&drawing_.x, &drawing_.weight, &drawing_.y}) {
        if (value->kind != ValueDrawing::Kind::none) {
            drawValue(painter, box, *value, theme, 1);
        }
        box.translate(box.left() == 26 ? 22 : 28, 0);
    }
    painter.setPen(theme.text.tertiary);
    painter.setFont(Look::sans(tokens().sizes.type.small));
    painter.drawText(QRect(42, 0, 6, rowHeight), Qt::AlignCenter, QStringLiteral("·"));
    painter.drawText(QRect(64, 0, 12, rowHeight), Qt::AlignCenter, QStringLiteral("→"));
}

void ChoiceRow::paintTexts(QPainter& painter) {
    const Theme& theme = look_.theme();
    const Sizes& sizes = tokens().sizes;
    const Columns columns(width());
    painter.setPen(theme.text.primary);
    painter.setFont(
        Look::sans(sizes.type.body, isPresent_ ? sizes.type.semibold : sizes.type.medium));
    QRect words = columns.isWide ? columns.words : columns.words.translated(0, 2);
    if (columns.isWide) {
        words.setHeight(rowHeight / 2 + 2);
    }
    const QString title =
        painter.fontMetrics().elidedText(choice_.title, Qt::ElideRight, words.width());
    painter.drawText(words, Qt::AlignVCenter | Qt::AlignLeft, title);
    if (isFastest_ && !isPresent_) {
        paintFastestTag(
            painter, words.adjusted(painter.fontMetrics().horizontalAdvance(title) + sizes.space.m,
                                    0, 0, 0));
    }
    if (columns.isWide) {
        painter.setPen(theme.text.tertiary);
        painter.setFont(Look::sans(sizes.type.small));
        const QRect below(words.left(), words.bottom() - 2, wideWords, rowHeight - words.height());
        painter.drawText(
            below, Qt::AlignVCenter | Qt::AlignLeft,
            painter.fontMetrics().elidedText(choice_.meaning, Qt::ElideRight, below.width()));
    }
    if (!sendFrequency_.isEmpty()) {
        const QRect line(wordsAt, rowHeight - 4, columns.right - wordsAt, sendsHeight);
        painter.setPen(theme.text.secondary);
        painter.setFont(Look::sans(sizes.type.small));
        painter.drawText(
            line, Qt::AlignVCenter | Qt::AlignLeft,
            painter.fontMetrics().elidedText(sendFrequency_, Qt::ElideRight, line.width()));
    }
    if (price_.step > 0 && longestStep_ > 0) {
        paintBar(painter, columns.bar);
    }
}

/// Draws the whole step: outlined while the busiest device computes, ink where communication is
/// exposed, dotted at the present step time.
void ChoiceRow::paintBar(QPainter& painter, const QRect& area) const {
    const Theme& theme = look_.theme();
    const auto pixels = [&](double time) {
        return static_cast<int>(area.width() * time / longestStep_);
    };
    const int step = std::max(3, pixels(price_.step));
    const int busy = std::clamp(pixels(price_.busy), 2, step);
    painter.setPen(isFastest_ ? theme.semantic.ok : theme.text.tertiary);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(area.left(), area.top(), busy - 1, area.height() - 1);
    painter.fillRect(area.left() + busy, area.top(), step - busy, area.height(), theme.accent.ink);
    for (int y = area.top() - 3; y < area.bottom() + 5; y += 3) {
        painter.fillRect(area.left() + pixels(presentStep_), y, 1, 1, theme.accent.ink);
    }
}

void ChoiceRow::paintFastestTag(QPainter& painter, const QRect& area) const {
    const Theme& theme = look_.theme();
    const Sizes& sizes = tokens().sizes;
    const QString text = tr("fastest");
    painter.setFont(Look::sans(sizes.type.small));
    const int wide = painter.fontMetrics().horizontalAdvance(text) + 2 * sizes.space.s;
    if (wide > area.width()) {
        return; // shown by its bar and its number too
    }
    constexpr int high = 16;
    const QRect box(area.left(), area.center().y() - high / 2 + 1, wide, high);
    painter.setPen(theme.semantic.ok);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.adjusted(0, 0, -1, -1));
    painter.drawText(box, Qt::AlignCenter, text);
}

void ChoiceRow::paintDeviceBars(QPainter& painter, const QRect& area) const {
    const Theme& theme = look_.theme();
    const auto count = static_cast<int>(price_.devices.size());
    if (count == 0 || largestMemory_ <= 0) {
        return;
    }
    // The bars share the row's height, with gaps if there is room.
    const int inside = area.height() - 2 * tokens().sizes.space.m;
    const int pitch = std::max(inside / count, 1);
    const int thick = std::max(std::min(pitch - 1, 5), 1);
    int top = area.center().y() - std::min(pitch * count, inside) / 2;
    for (const ChoicePrice::Device& device : price_.devices) {
        if (top + thick > area.bottom()) {
            return;
        }
        const int wide = static_cast<int>(area.width() * device.memory / largestMemory_);
        painter.fillRect(area.left(), top, area.width(), thick, theme.line.subtle);
        painter.fillRect(area.left(), top, wide, thick,
                         device.overflows() ? theme.semantic.error : theme.ofDevice(device.slot));
        top += pitch;
    }
}

void ChoiceRow::paintNumbers(QPainter& painter) {
    const Theme& theme = look_.theme();
    const Columns columns(width());
    painter.setFont(Look::mono(tokens().sizes.type.small));
    const auto write = [&](int column, const QString& words, const QColor& colour) {
        painter.setPen(colour);
        painter.drawText(columns.number(column), Qt::AlignVCenter | Qt::AlignRight, words);
    };
    if (price_.step <= 0) {
        write(0, quantity::none(), theme.text.tertiary);
        return;
    }
    write(0, quantity::time(price_.step), theme.text.primary);
    const double change = presentStep_ > 0 ? price_.step / presentStep_ - 1 : 0;
    if (isPresent_) {
        write(1, tr("now"), theme.text.tertiary);
    } else if (presentStep_ > 0) {
        write(1, quantity::signedPercent(change),
              change < -0.0005 ? theme.semantic.ok : theme.text.tertiary);
    }
    write(2, quantity::bytes(price_.sent), theme.text.tertiary);
    write(3, price_.memory > 0 ? quantity::bytes(price_.memory) : quantity::none(),
          price_.overflows() ? theme.semantic.error : theme.text.tertiary);
    if (columns.isWide) {
        paintDeviceBars(painter, columns.each());
    }
}

ChoiceHeader::ChoiceHeader(Look& look, QWidget* parent) : QWidget(parent), look_(look) {
    setToolTip(tr("Times are per step; the bytes sent and the memory of the run are those of the "
                  "device with the largest value"));
    fitHeight();
}

void ChoiceHeader::setTitle(const QString& title) {
    title_ = title;
    setAccessibleName(title);
    fitHeight();
    update();
}

void ChoiceHeader::showNumbers(bool areShown) {
    showsNumbers_ = areShown;
    fitHeight();
    update();
}

void ChoiceHeader::resizeEvent(QResizeEvent*) { fitHeight(); }

void ChoiceHeader::fitHeight() {
    const int margin = tokens().sizes.space.l;
    const QFontMetrics metrics(Look::sans(tokens().sizes.type.small));
    setFixedHeight(showsNumbers_
                       ? rowHeight
                       : metrics.boundingRect(QRect(0, 0, width() - 2 * margin, rowHeight * 4),
                                              Qt::TextWordWrap, title_)
                                 .height() +
                             tokens().sizes.space.m);
}

void ChoiceHeader::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Sizes& sizes = tokens().sizes;
    painter.setPen(look_.theme().text.tertiary);
    painter.setFont(Look::sans(sizes.type.small));
    const Columns columns(width());
    if (!showsNumbers_) {
        painter.drawText(rect().adjusted(sizes.space.l, 0, -sizes.space.l, 0), Qt::TextWordWrap,
                         title_);
        return;
    }
    const int area = columns.number(0).left() - sizes.space.l;
    painter.drawText(QRect(sizes.space.l, 0, area, height()), Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(title_, Qt::ElideMiddle, area));
    const QString names[] = {ChoiceRow::tr("step"), ChoiceRow::tr("change"), ChoiceRow::tr("sent"),
                             ChoiceRow::tr("memory")};
    for (int column = 0; column < 4; ++column) {
        const QRect at = columns.number(column).adjusted(2, 0, 0, 0);
        painter.drawText(
            at, Qt::AlignVCenter | Qt::AlignRight,
            painter.fontMetrics().elidedText(names[column], Qt::ElideMiddle, at.width()));
    }
    if (columns.isWide) {
        painter.drawText(columns.each(), Qt::AlignVCenter | Qt::AlignLeft,
                         ChoiceRow::tr("each device"));
    }
}

} // namespace weft::ui
