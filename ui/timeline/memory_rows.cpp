// SPDX-License-Identifier: Apache-2.0
#include "timeline/memory_rows.h"

#include "theme/look.h"
#include "theme/quantity.h"
#include "widgets/chips.h"

#include <QPainter>
#include <algorithm>

namespace weft::ui {

namespace {

constexpr int numbersWidth = 152;
constexpr int barHeight = 12;

QString numbersOf(const MemoryBar& one) {
    const QString held = one.allocated > 0   ? quantity::bytes(one.allocated)
                         : one.predicted > 0 ? quantity::predicted(quantity::bytes(one.predicted))
                                             : quantity::none();
    return one.available > 0 ? MemoryRows::tr("%1 of %2").arg(held, quantity::bytes(one.available))
                             : held;
}

} // namespace

MemoryRows::MemoryRows(const Look& look, QWidget* parent) : QWidget(parent), look_(look) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&look_, &Look::changed, this, qOverload<>(&QWidget::update));
}

void MemoryRows::show(std::vector<MemoryBar> devices) {
    devices_ = std::move(devices);
    QStringList texts;
    for (const MemoryBar& one : devices_) {
        texts << (one.predicted > 0
                      ? tr("%1: %2, predicted %3")
                            .arg(one.name, numbersOf(one), quantity::bytes(one.predicted))
                      : tr("%1: %2").arg(one.name, numbersOf(one)));
    }
    setAccessibleName(tr("Memory. %1").arg(texts.join(QStringLiteral("; "))));
    QStringList words{
        tr("Filled: the memory allocated on each device, for slots and the largest arena")};
    for (const MemoryBar& one : devices_) {
        if (!one.words.isEmpty()) {
            words << one.name + '\n' + one.words;
        }
    }
    setToolTip(words.join(QStringLiteral("\n\n")));
    updateGeometry();
    update();
}

QSize MemoryRows::sizeHint() const {
    const Sizes& sizes = Look::sizes();
    return {360, sizes.size.row * (static_cast<int>(devices_.size()) + 1)};
}

void MemoryRows::paintEvent(QPaintEvent*) {
    const Theme& theme = look_.theme();
    const Sizes& sizes = Look::sizes();
    QPainter painter(this);
    painter.setFont(Look::sans(sizes.type.small));
    painter.setPen(theme.text.tertiary);
    const QRect head(sizes.space.m, 0, width() - 2 * sizes.space.m, sizes.size.row);
    painter.drawText(head, Qt::AlignVCenter | Qt::AlignLeft, tr("Memory"));
    painter.drawText(head, Qt::AlignVCenter | Qt::AlignRight, tr("dotted: predicted"));
    double most = 1;
    for (const MemoryBar& one : devices_) {
        most = std::max({most, one.allocated, one.predicted});
    }
    int top = sizes.size.row;
    for (const MemoryBar& one : devices_) {
        drawRow(painter, one, top, most);
        top += sizes.size.row;
    }
}

void MemoryRows::drawRow(QPainter& painter, const MemoryBar& one, int top, double most) const {
    const Theme& theme = look_.theme();
    const Sizes& sizes = Look::sizes();
    drawChip(painter,
             QRect(sizes.space.m, top + (sizes.size.row - sizes.size.icon) / 2, sizes.size.icon,
                   sizes.size.icon),
             one.slot, one.name, theme);
    const int left = 2 * sizes.space.m + sizes.size.icon;
    const int room = std::max(width() - left - sizes.space.m - numbersWidth, 10);
    const auto pixels = [&](double bytes) { return static_cast<int>(room * bytes / most); };
    const int bar = top + (sizes.size.row - barHeight) / 2;
    painter.fillRect(left, bar, room, barHeight, theme.line.subtle);
    painter.fillRect(left, bar, pixels(one.allocated), barHeight, theme.ofDevice(one.slot));
    // The available memory is marked only if the bar comes near it.
    if (one.available > 0 && one.available <= most) {
        painter.fillRect(left + pixels(one.available), bar - 2, 1, barHeight + 4, theme.accent.ink);
    }
    for (int y = bar - 2; one.predicted > 0 && y < bar + barHeight + 2; y += 3) {
        painter.fillRect(left + pixels(one.predicted), y, 1, 2, theme.accent.ink);
    }
    painter.setFont(Look::mono(sizes.type.small));
    painter.setPen(one.allocated > 0 ? theme.text.primary : theme.text.secondary);
    painter.drawText(
        QRect(width() - sizes.space.m - numbersWidth, top, numbersWidth, sizes.size.row),
        Qt::AlignRight | Qt::AlignVCenter, numbersOf(one));
}

} // namespace weft::ui
