// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/breakdown.h"

#include "theme/look.h"
#include "theme/quantity.h"
#include "widgets/chips.h"

#include <QPainter>
#include <algorithm>

namespace weft::ui {

namespace {

constexpr int headHeight = 24;
constexpr int columnWidth = 68;
constexpr int columns = 4;
constexpr int outlineHeight = 5;
constexpr int fillHeight = 12;

Nanoseconds exposedOf(const StepTotals& totals) { return totals.communicate - totals.overlapped; }

} // namespace

Breakdown::Breakdown(const Look& look, QWidget* parent) : QWidget(parent), look_(look) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&look_, &Look::changed, this, qOverload<>(&QWidget::update));
}

void Breakdown::show(std::vector<BrokenDown> devices) {
    devices_ = std::move(devices);
    QStringList told;
    for (const BrokenDown& one : devices_) {
        told << tr("%1: compute %2, exposed %3, overlapped %4, idle %5")
                    .arg(one.name, quantity::time(one.measured.compute),
                         quantity::time(exposedOf(one.measured)),
                         quantity::time(one.measured.overlapped),
                         quantity::time(one.measured.idle));
    }
    setAccessibleName(
        tr("How each device spent the step. %1").arg(told.join(QStringLiteral("; "))));
    updateGeometry();
    update();
}

QSize Breakdown::sizeHint() const {
    return {400, headHeight + static_cast<int>(std::max<std::size_t>(devices_.size(), 1)) *
                                  Look::sizes().size.laneCollectives};
}
QSize Breakdown::minimumSizeHint() const { return {360, sizeHint().height()}; }

void Breakdown::paintEvent(QPaintEvent*) {
    const Theme& theme = look_.theme();
    const Sizes& sizes = Look::sizes();
    QPainter painter(this);
    painter.fillRect(rect(), theme.surface.dock);
    const int right = width() - sizes.space.m - columns * columnWidth;
    painter.setFont(Look::sans(sizes.type.small));
    painter.setPen(theme.text.tertiary);
    const QStringList heads{tr("compute"), tr("exposed"), tr("overlap"), tr("idle")};
    for (int i = 0; i < columns; ++i) {
        painter.drawText(QRect(right + i * columnWidth, 0, columnWidth, headHeight),
                         Qt::AlignRight | Qt::AlignVCenter, heads[i]);
    }
    std::int64_t longest = 1;
    for (const BrokenDown& one : devices_) {
        longest = std::max({longest, one.measured.length.count, one.predicted.length.count});
    }
    int top = headHeight;
    for (const BrokenDown& one : devices_) {
        drawBars(painter, one, top, longest);
        drawNumbers(painter, one, top);
        top += sizes.size.laneCollectives;
    }
}

void Breakdown::drawBars(QPainter& painter, const BrokenDown& one, int top,
                         std::int64_t longest) const {
    const Theme& theme = look_.theme();
    const Sizes& sizes = Look::sizes();
    const int left = 2 * sizes.space.m + sizes.size.icon;
    const int room = width() - sizes.space.m - columns * columnWidth - left;
    const auto pixels = [&](Nanoseconds time) {
        return static_cast<int>(static_cast<double>(time.count) / static_cast<double>(longest) *
                                std::max(room, 10));
    };
    const QRect chip(sizes.space.m, top + 8, sizes.size.icon, sizes.size.icon);
    drawChip(painter, chip, one.slot, theme);
    painter.setBrush(Qt::NoBrush);
    if (one.predicted.length.count > 0) {
        const int work = pixels(one.predicted.compute);
        painter.setPen(theme.ofDevice(one.slot));
        painter.drawRect(left, top + 4, std::max(work, 1), outlineHeight);
        painter.setPen(theme.accent.ink);
        painter.drawRect(left + work + 1, top + 4, std::max(pixels(exposedOf(one.predicted)), 1),
                         outlineHeight);
    }
    const int done = pixels(one.measured.compute);
    const int waited = pixels(exposedOf(one.measured));
    painter.fillRect(left, top + 12, done, fillHeight, theme.ofDevice(one.slot));
    painter.fillRect(left + done, top + 12, waited, fillHeight, theme.trace.exposed);
    painter.fillRect(left + done + waited, top + 12, pixels(one.measured.idle), fillHeight,
                     theme.trace.idle);
}

void Breakdown::drawNumbers(QPainter& painter, const BrokenDown& one, int top) const {
    const Theme& theme = look_.theme();
    const bool isMeasured = one.measured.length.count > 0;
    const StepTotals& said = isMeasured ? one.measured : one.predicted;
    painter.setFont(Look::mono(Look::sizes().type.small));
    painter.setPen(isMeasured ? theme.text.primary : theme.text.secondary);
    int at = width() - Look::sizes().space.m - columns * columnWidth;
    for (const Nanoseconds time : {said.compute, exposedOf(said), said.overlapped, said.idle}) {
        const QString text = quantity::time(time);
        painter.drawText(QRect(at, top + 4, columnWidth, 24), Qt::AlignRight | Qt::AlignVCenter,
                         isMeasured ? text : quantity::predicted(text));
        at += columnWidth;
    }
}

} // namespace weft::ui
