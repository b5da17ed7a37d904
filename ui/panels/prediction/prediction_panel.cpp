// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/prediction/prediction_panel.h"

#include "document/device_slot.h"
#include "theme/quantity.h"
#include "widgets/chips.h"

#include <QPainter>

namespace weft::ui {

namespace {

constexpr int figureWidth = 132;
/// Up to here titles and figures stand in one line.
constexpr int oneLine = 60;

} // namespace

PredictionPanel::PredictionPanel(Bench& bench, QWidget* parent) : Panel(bench, parent) {
    setMinimumHeight(tokens().sizes.size.topBar);
}

void PredictionPanel::refresh(unsigned) {
    figures_.clear();
    known_.reset();
    if (design() != nullptr) {
        known_ = design()->check().answer();
        const Preview& preview = known_->preview;
        const double step = static_cast<double>(preview.step.count) / 1e9;
        const auto batch = static_cast<double>(design()->document().design().data.batch);
        double memory = 0;
        double sent = 0;
        for (const DevicePreview& device : preview.devices) {
            memory = std::max(
                memory, static_cast<double>(device.parameters.count + device.activations.count));
            sent = std::max(sent, static_cast<double>(device.sent.count));
        }
        const bool isKnown = preview.isComplete && step > 0;
        const auto figure = [&](const QString& title, const QString& text) {
            figures_.emplace_back(title, isKnown ? quantity::predicted(text) : quantity::none());
        };
        figure(tr("Step"), quantity::time(step));
        figure(tr("Examples"), quantity::rate(isKnown ? batch / step : 0, {}));
        figure(tr("Sent per device"), quantity::bytes(sent));
        figure(tr("Peak memory"), quantity::bytes(memory));
        QStringList words;
        for (const auto& [title, text] : figures_) {
            words << title + " " + text;
        }
        setAccessibleName(words.join(QStringLiteral(", ")));
    }
    update();
}

void PredictionPanel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = bench().look.theme();
    const Sizes& sizes = tokens().sizes;
    const bool isLine = height() < oneLine;
    const QFont titles = Look::sans(sizes.type.small);
    const QFont numbers =
        Look::mono(isLine ? sizes.type.body : sizes.type.title, sizes.type.medium);
    QRect at(sizes.space.l, isLine ? 0 : sizes.space.m, 0, isLine ? height() : 18);
    for (const auto& [title, text] : figures_) {
        const int titleWidth = QFontMetrics(titles).horizontalAdvance(title);
        const int textWidth = QFontMetrics(numbers).horizontalAdvance(text);
        at.setWidth(titleWidth);
        painter.setFont(titles);
        painter.setPen(theme.text.tertiary);
        painter.drawText(at, Qt::AlignVCenter | Qt::AlignLeft, title);
        if (isLine) {
            at.translate(titleWidth + sizes.space.m, 0);
        }
        at.setWidth(textWidth + sizes.space.xs);
        painter.setFont(numbers);
        painter.setPen(theme.text.primary);
        painter.drawText(isLine ? at : at.translated(0, 20), Qt::AlignVCenter | Qt::AlignLeft,
                         text);
        at.translate(isLine
                         ? textWidth + sizes.space.xxl
                         : std::max(figureWidth, std::max(titleWidth, textWidth) + sizes.space.xl),
                     0);
    }
    paintDevices(painter, QRect(at.left() + sizes.space.l, 0,
                                width() - at.left() - 2 * sizes.space.l, height()));
}

void PredictionPanel::paintDevices(QPainter& painter, const QRect& room) {
    if (known_ == nullptr || design() == nullptr || room.width() < 160) {
        return;
    }
    const Theme& theme = bench().look.theme();
    const Sizes& sizes = tokens().sizes;
    double longest = 1;
    for (const DevicePreview& device : known_->preview.devices) {
        longest = std::max(longest, static_cast<double>(device.busy.count));
    }
    longest = std::max(longest, static_cast<double>(known_->preview.step.count));
    int top = room.top() + sizes.space.m;
    constexpr int names = 74;
    // Many devices stand closer; where there is no room for words, their bars alone.
    constexpr int pitch = 22;
    constexpr int leastPitch = 9;
    constexpr int named = 16;
    const auto count = std::max(1, static_cast<int>(known_->preview.devices.size()));
    const int down = std::clamp((room.height() - sizes.space.m) / count, leastPitch, pitch);
    for (const DevicePreview& device : known_->preview.devices) {
        if (top + down > room.bottom() + 1) {
            break;
        }
        const int slot = slotOf(design()->document().design(), device.name);
        if (down >= named) {
            const int chip = std::min(named, down - 2);
            drawChip(painter, QRect(room.left(), top, chip, chip), slot, theme);
            painter.setFont(Look::sans(sizes.type.small));
            painter.setPen(theme.text.secondary);
            painter.drawText(QRect(room.left() + 24, top, names - 24, chip), Qt::AlignVCenter,
                             QString::fromStdString(device.name));
        }
        const int whole = room.width() - names;
        const auto busy =
            static_cast<int>(whole * static_cast<double>(device.busy.count) / longest);
        const auto step =
            static_cast<int>(whole * static_cast<double>(known_->preview.step.count) / longest);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(theme.ofDevice(slot));
        painter.drawRect(room.left() + names, top + 4, std::max(1, busy), 7);
        // What nothing hides.
        if (step > busy + 2) {
            painter.setPen(theme.accent.ink);
            painter.drawRect(room.left() + names + busy + 1, top + 4, step - busy - 2, 7);
        }
        top += down;
    }
}

} // namespace weft::ui
