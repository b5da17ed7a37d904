// SPDX-License-Identifier: Apache-2.0
#include "timeline/breakdown.h"

#include "theme/look.h"
#include "theme/quantity.h"
#include "timeline/timeline_drawing.h"
#include "widgets/chips.h"

#include <QPainter>
#include <algorithm>

namespace weft::ui {

namespace {

constexpr int headHeight = 24;
constexpr int columnWidth = 68;
// Below this width, the overlap is not shown.
constexpr int widthForAll = 460;
constexpr int outlineHeight = 5;
constexpr int fillHeight = 12;

Nanoseconds exposedOf(const StepTotals& totals) { return totals.communicate - totals.overlapped; }

struct Column {
    QString head;
    Nanoseconds time;
};

std::vector<Column> columnsOf(const StepTotals& totals, int width) {
    std::vector<Column> columns{{Breakdown::tr("compute"), totals.compute},
                                {Breakdown::tr("exposed"), exposedOf(totals)},
                                {Breakdown::tr("overlap"), totals.overlapped},
                                {Breakdown::tr("waiting"), totals.waiting},
                                {Breakdown::tr("idle"), totals.idle}};
    if (width < widthForAll) {
        columns.erase(columns.begin() + 2);
    }
    return columns;
}

int columnsLeft(int width) {
    const auto columns = static_cast<int>(columnsOf({}, width).size());
    return width - Look::sizes().space.m - columns * columnWidth;
}

} // namespace

Breakdown::Breakdown(const Look& look, QWidget* parent) : QWidget(parent), look_(look) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&look_, &Look::changed, this, qOverload<>(&QWidget::update));
}

void Breakdown::show(std::vector<DeviceBreakdown> devices) {
    devices_ = std::move(devices);
    QStringList texts;
    for (const DeviceBreakdown& one : devices_) {
        texts << tr("%1: compute %2, exposed %3, overlapped %4, waiting %5, idle %6")
                     .arg(one.name, quantity::time(one.measured.compute),
                          quantity::time(exposedOf(one.measured)),
                          quantity::time(one.measured.overlapped),
                          quantity::time(one.measured.waiting), quantity::time(one.measured.idle));
    }
    setAccessibleName(
        tr("How each device spent %1. %2").arg(stepText(), texts.join(QStringLiteral("; "))));
    setToolTip(tr("How each device spent %1, from the first start on any device to the last end")
                   .arg(stepText()));
    updateGeometry();
    update();
}

/// Returns the label of the shown step.
QString Breakdown::stepText() const {
    const bool isMeasured = !devices_.empty() && devices_.front().measured.length.count > 0;
    return isMeasured ? tr("step %1").arg(
                            quantity::count(static_cast<double>(devices_.front().measured.step)))
                      : tr("the predicted step");
}

QSize Breakdown::sizeHint() const {
    return {400, headHeight + static_cast<int>(std::max<std::size_t>(devices_.size(), 1)) *
                                  Look::sizes().size.trackCollectives};
}
QSize Breakdown::minimumSizeHint() const { return {360, sizeHint().height()}; }

void Breakdown::paintEvent(QPaintEvent*) {
    const Theme& theme = look_.theme();
    const Sizes& sizes = Look::sizes();
    QPainter painter(this);
    painter.fillRect(rect(), theme.surface.dock);
    int right = columnsLeft(width());
    painter.setFont(Look::sans(sizes.type.small));
    painter.setPen(theme.text.tertiary);
    painter.drawText(QRect(sizes.space.m, 0, right - sizes.space.m, headHeight),
                     Qt::AlignLeft | Qt::AlignVCenter, stepText());
    for (const Column& column : columnsOf({}, width())) {
        painter.drawText(QRect(right, 0, columnWidth, headHeight),
                         Qt::AlignRight | Qt::AlignVCenter, column.head);
        right += columnWidth;
    }
    std::int64_t longest = 1;
    for (const DeviceBreakdown& one : devices_) {
        longest = std::max({longest, one.measured.length.count, one.predicted.length.count});
    }
    int top = headHeight;
    for (const DeviceBreakdown& one : devices_) {
        drawBars(painter, one, top, longest);
        drawNumbers(painter, one, top);
        top += sizes.size.trackCollectives;
    }
}

void Breakdown::drawBars(QPainter& painter, const DeviceBreakdown& one, int top,
                         std::int64_t longest) const {
    const Theme& theme = look_.theme();
    const Sizes& sizes = Look::sizes();
    const int left = 2 * sizes.space.m + sizes.size.icon;
    const int room = columnsLeft(width()) - left;
    const auto pixels = [&](Nanoseconds time) {
        return static_cast<int>(static_cast<double>(time.count) / static_cast<double>(longest) *
                                std::max(room, 10));
    };
    const QRect chip(sizes.space.m, top + 8, sizes.size.icon, sizes.size.icon);
    drawChip(painter, chip, one.slot, one.name, theme);
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
    const int exposed = pixels(exposedOf(one.measured));
    painter.fillRect(left, top + 12, done, fillHeight, theme.ofDevice(one.slot));
    painter.fillRect(left + done, top + 12, exposed, fillHeight, theme.trace.exposed);
    const int waiting = pixels(one.measured.waiting);
    painter.fillRect(left + done + exposed, top + 12, waiting, fillHeight, waitingColour(theme));
    painter.fillRect(left + done + exposed + waiting, top + 12, pixels(one.measured.idle),
                     fillHeight, theme.trace.idle);
}

void Breakdown::drawNumbers(QPainter& painter, const DeviceBreakdown& one, int top) const {
    const Theme& theme = look_.theme();
    const bool isMeasured = one.measured.length.count > 0;
    const StepTotals& said = isMeasured ? one.measured : one.predicted;
    painter.setFont(Look::mono(Look::sizes().type.small));
    painter.setPen(isMeasured ? theme.text.primary : theme.text.secondary);
    int at = columnsLeft(width());
    for (const Column& column : columnsOf(said, width())) {
        const QString text = quantity::time(column.time);
        painter.drawText(QRect(at, top + 4, columnWidth, 24), Qt::AlignRight | Qt::AlignVCenter,
                         isMeasured ? text : quantity::predicted(text));
        at += columnWidth;
    }
}

} // namespace weft::ui
