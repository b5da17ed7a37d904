// SPDX-License-Identifier: Apache-2.0
#include "panels/prediction/prediction_panel.h"

#include "document/device_slot.h"
#include "panels/prediction/rates_corner.h"
#include "runs/run_status.h"
#include "theme/quantity.h"
#include "theme/symbols.h"
#include "widgets/chips.h"
#include "workspace/absent_devices.h"
#include "workspace/prediction_words.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QPainter>
#include <QToolButton>
#include <algorithm>
#include <span>

namespace weft::ui {

namespace {

constexpr int figureWidth = 132;
/// Up to this height, titles and figures are on one line.
constexpr int oneLine = 60;
constexpr int opened = 144;
constexpr int titleHeight = 18;
constexpr int numberHeight = 22;

QString measuredText(const std::optional<double>& value, QString (*as)(double)) {
    return value ? as(*value) : QString();
}

/// Returns the memory of the device with the largest use.
std::optional<double> mostMemory(const RunHub& hub) {
    std::optional<double> most;
    for (const DeviceMemory& one : hub.memory()) {
        most = std::max(most.value_or(0), static_cast<double>(one.bytes.count));
    }
    return most;
}

} // namespace

PredictionPanel::PredictionPanel(WindowContext& context, QWidget* parent)
    : Panel(context, parent),
      enlargeButton_(new QToolButton(this)),
      problemsButton_(new QToolButton(this)),
      ratesCorner_(new RatesCorner(context, this)) {
    setMinimumHeight(tokens().sizes.size.topBar);
    for (QToolButton* button : {enlargeButton_, problemsButton_}) {
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        button->hide();
    }
    enlargeButton_->setText(tr("Prediction"));
    enlargeButton_->setFont(Look::sans(tokens().sizes.type.body, tokens().sizes.type.semibold));
    enlargeButton_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    enlargeButton_->setToolTip(tr("Shows the predictions for each device"));
    connect(enlargeButton_, &QToolButton::clicked, this, &PredictionPanel::enlargeDock);
    connect(problemsButton_, &QToolButton::clicked, this, [this] {
        if (QAction* show = this->context().commands.find(QStringLiteral("dock.problems"))) {
            show->trigger();
        }
    });
    connect(&context.hub, &RunHub::grown, this, [this] { hear(checkCause); });
    applyTheme();
}

void PredictionPanel::applyTheme() {
    const Theme& theme = context().look.theme();
    enlargeButton_->setIcon(symbolIcon(QStringLiteral("actions/chevron-right"), theme.text.tertiary,
                                       theme.text.disabled));
}

bool PredictionPanel::isOneLine() const { return height() < oneLine; }

bool PredictionPanel::isMeasured() const {
    return design() != nullptr && design()->owns(context().hub);
}

void PredictionPanel::refresh(unsigned causes) {
    if ((causes & lookCause) != 0) {
        applyTheme();
    }
    figures_.clear();
    typicalTotals_.clear();
    note_.clear();
    checked_.reset();
    setToolTip({});
    if (design() != nullptr) {
        checked_ = design()->check().answer();
        const auto count = static_cast<int>(checked_->preview->problems.size());
        const QString absent = absentText(absentDevices(context(), *design()));
        problemsButton_->setText(count > 0           ? tr("Problems %1").arg(count)
                                 : !absent.isEmpty() ? absent
                                                     : tr("No problems"));
        updateFigures();
    }
    QStringList words;
    for (const Figure& figure : figures_) {
        words << figure.title + " " + figure.predicted;
        if (!figure.band.isEmpty()) {
            words << tr("between %1").arg(figure.band);
        }
        if (!figure.measured.isEmpty()) {
            words << tr("%1 in the last run").arg(figure.measured);
        }
    }
    if (!note_.isEmpty()) {
        words << note_;
    }
    setAccessibleName(words.join(QStringLiteral(", ")));
    placeButtons();
    update();
}

void PredictionPanel::updateFigures() {
    const RunHub& hub = context().hub;
    RunStatus status;
    std::optional<double> held;
    if (isMeasured()) {
        status = statusOf(hub, nullptr, 0);
        held = mostMemory(hub);
        if (const StepWindow* typical = typicalStep(hub); typical != nullptr) {
            typicalTotals_ = hub.totals(typical->step);
        }
    }
    const auto figure = [&](const QString& title, bool isKnown, const QString& text,
                            const QString& measured, bool isOlder) {
        figures_.push_back({.title = title,
                            .predicted = isKnown ? quantity::predicted(text) : quantity::none(),
                            .measured = measured,
                            .isOlder = isOlder});
    };
    const auto rate = [](double perSecond) { return quantity::rate(perSecond, {}); };
    const StepPreview shown = checked_->withStep ? *checked_->withStep->step : StepPreview();
    const double step = quantity::seconds(shown.time);
    const bool isKnown = step > 0;
    const bool isOlder = checked_->isStepOlder();
    figure(tr("Step"), isKnown, quantity::time(step),
           measuredText(status.stepSeconds, quantity::time), isOlder);
    if (shown.band.isKnown()) {
        const double low = quantity::seconds(shown.band.low);
        const double high = quantity::seconds(shown.band.high);
        figures_.back().band = quantity::timeBand(low, high);
        figures_.back().isOutside =
            status.stepSeconds && (*status.stepSeconds < low || *status.stepSeconds > high);
    }
    const auto batch = static_cast<double>(checked_->batch);
    figure(tr("Examples"), isKnown, rate(isKnown ? batch / step : 0),
           measuredText(status.throughput, rate), isOlder);
    double sent = 0;
    for (const DevicePreview& device : checked_->preview->devices) {
        sent = std::max(sent, static_cast<double>(device.sent.count));
    }
    figure(tr("Sent per device"), checked_->preview->planned != Planned::nothing,
           quantity::bytes(sent), {}, false);
    const double taken = peakRunBytes(checked_->withRun.get());
    figure(tr("Run memory"), taken > 0, quantity::bytes(taken), measuredText(held, quantity::bytes),
           checked_->isRunOlder());
    const QString part = isOlder || checked_->isRunOlder() ? olderNote()
                         : checked_->withStep              ? partialPlanNote(*checked_->withStep)
                                                           : QString();
    note_ = !part.isEmpty()    ? tr("Prediction %1").arg(part)
            : shown.period > 1 ? tr("Means of %1 steps").arg(shown.period)
                               : QString();
    setMemoryToolTip();
}

/// Shows the memory breakdown of the first devices only, since devices are often alike.
void PredictionPanel::setMemoryToolTip() {
    constexpr std::size_t most = 4;
    QStringList words;
    for (const DevicePreview& device :
         std::span(checked_->preview->devices)
             .first(std::min(most, checked_->preview->devices.size()))) {
        if (const QString one = memoryText(*checked_, device.name); !one.isEmpty()) {
            words << QString::fromStdString(device.name) + '\n' + one;
        }
    }
    setToolTip(words.join(QStringLiteral("\n\n")));
}

void PredictionPanel::enlargeDock() {
    QDockWidget* dock = this->dock();
    if (auto* window = dock == nullptr ? nullptr : qobject_cast<QMainWindow*>(dock->window())) {
        window->resizeDocks({dock}, {opened}, Qt::Vertical);
    }
}

void PredictionPanel::resizeEvent(QResizeEvent*) { placeButtons(); }

void PredictionPanel::placeButtons() {
    const int space = tokens().sizes.space.s;
    const int high = tokens().sizes.size.control;
    enlargeButton_->setVisible(isOneLine() && design() != nullptr);
    problemsButton_->setVisible(isOneLine() && design() != nullptr);
    enlargeButton_->setGeometry(space, (height() - high) / 2, enlargeButton_->sizeHint().width(),
                                high);
    const int wide = problemsButton_->sizeHint().width();
    problemsButton_->setGeometry(width() - wide - space, (height() - high) / 2, wide, high);
    ratesCorner_->setVisible(design() != nullptr);
    ratesCorner_->setOneLine(isOneLine());
    const QSize room = ratesCorner_->sizeHint();
    const int right = isOneLine() ? problemsButton_->x() - space : width() - tokens().sizes.space.l;
    ratesCorner_->setGeometry(right - room.width(),
                              isOneLine() ? (height() - room.height()) / 2 : tokens().sizes.space.m,
                              room.width(), room.height());
}

void PredictionPanel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Sizes& sizes = tokens().sizes;
    if (isOneLine()) {
        paintLine(painter, enlargeButton_->geometry().right() + sizes.space.l);
        return;
    }
    const int left = paintFigures(painter, sizes.space.l);
    const int below = sizes.space.m + numberHeight + 3 * titleHeight;
    paintNote(painter, QRect(sizes.space.l, below, left - sizes.space.l, titleHeight));
    paintDevices(painter, QRect(left, sizes.space.m, ratesCorner_->x() - sizes.space.xl - left,
                                height() - sizes.space.m));
}

void PredictionPanel::paintLine(QPainter& painter, int left) const {
    const Theme& theme = context().look.theme();
    const Sizes& sizes = tokens().sizes;
    const int end = ratesCorner_->x() - sizes.space.l;
    const auto write = [&](const QString& text, const QFont& font, const QColor& colour, int gap) {
        const int wide = QFontMetrics(font).horizontalAdvance(text);
        if (left + wide <= end) {
            painter.setFont(font);
            painter.setPen(colour);
            painter.drawText(QRect(left, 0, wide + sizes.space.xs, height()),
                             Qt::AlignVCenter | Qt::AlignLeft, text);
        }
        left += wide + gap;
    };
    for (const Figure& figure : figures_) {
        const QFont mono = Look::mono(sizes.type.body, sizes.type.medium);
        write(figure.title, Look::sans(sizes.type.small), theme.text.tertiary, sizes.space.m);
        const bool isLast = figure.measured.isEmpty() && figure.band.isEmpty();
        write(figure.predicted, mono, figure.isOlder ? theme.text.tertiary : theme.text.primary,
              isLast ? sizes.space.xl : sizes.space.m);
        if (!figure.band.isEmpty()) {
            write(figure.band, Look::mono(sizes.type.small), theme.text.tertiary,
                  figure.measured.isEmpty() ? sizes.space.xl : sizes.space.m);
        }
        if (!figure.measured.isEmpty()) {
            write(figure.measured, Look::mono(sizes.type.small), theme.text.tertiary,
                  sizes.space.xl);
        }
    }
    write(note_, Look::sans(sizes.type.small), theme.text.tertiary, 0);
}

int PredictionPanel::paintFigures(QPainter& painter, int left) const {
    const Theme& theme = context().look.theme();
    const Sizes& sizes = tokens().sizes;
    const QFont small = Look::sans(sizes.type.small);
    const QFont numbers = Look::mono(sizes.type.title, sizes.type.medium);
    const QFont mono = Look::mono(sizes.type.small);
    for (const Figure& figure : figures_) {
        const QString measured = figure.measured.isEmpty() ? QString()
                                 : figure.isOutside
                                     ? tr("%1 in the last run, outside").arg(figure.measured)
                                     : tr("%1 in the last run").arg(figure.measured);
        int wide = figureWidth - sizes.space.xl;
        for (const auto& [text, font] : {std::pair{figure.title, small},
                                         {figure.predicted, numbers},
                                         {figure.band, mono},
                                         {measured, small}}) {
            wide = std::max(wide, QFontMetrics(font).horizontalAdvance(text) + sizes.space.xs);
        }
        int top = sizes.space.m;
        const auto write = [&](const QString& text, const QFont& font, const QColor& colour,
                               int high) {
            painter.setFont(font);
            painter.setPen(colour);
            painter.drawText(QRect(left, top, wide, high), Qt::AlignVCenter | Qt::AlignLeft, text);
            top += high;
        };
        write(figure.title, small, theme.text.tertiary, titleHeight);
        write(figure.predicted, numbers, figure.isOlder ? theme.text.tertiary : theme.text.primary,
              numberHeight);
        if (!figure.band.isEmpty()) {
            write(figure.band, mono, theme.text.tertiary, titleHeight);
        }
        write(measured, small, figure.isOutside ? theme.text.primary : theme.text.tertiary,
              titleHeight);
        left += wide + sizes.space.xl;
    }
    return left;
}

void PredictionPanel::paintNote(QPainter& painter, const QRect& room) const {
    if (room.bottom() < height()) {
        painter.setFont(Look::sans(tokens().sizes.type.small));
        painter.setPen(context().look.theme().text.tertiary);
        painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft, note_);
    }
}

void PredictionPanel::paintDevices(QPainter& painter, const QRect& room) const {
    constexpr int narrowest = 160;
    if (checked_ == nullptr || design() == nullptr || room.width() < narrowest) {
        return;
    }
    const Theme& theme = context().look.theme();
    const Preview& preview = checked_->withStep ? *checked_->withStep : *checked_->preview;
    double longest = 1;
    if (preview.step) {
        longest = std::max({longest, static_cast<double>(preview.step->time.count),
                            static_cast<double>(preview.step->band.high.count)});
    }
    for (const StepTotals& total : typicalTotals_) {
        longest = std::max(longest, static_cast<double>(total.length.count));
    }
    constexpr int names = 74;
    // Rows move closer together for many devices; below the height of text, only the bars are
    // drawn.
    constexpr int pitch = 22;
    constexpr int leastPitch = 9;
    constexpr int named = 16;
    const auto count = std::max(1, static_cast<int>(preview.devices.size()));
    const int down = std::clamp(room.height() / count, leastPitch, pitch);
    int top = room.top();
    for (const DevicePreview& device : preview.devices) {
        if (top + down > room.bottom() + 1) {
            break;
        }
        const int slot = paletteIndexOf(design()->document().design(), device.name);
        if (down >= named) {
            const int chip = std::min(named, down - 2);
            drawChip(painter, QRect(room.left(), top, chip, chip), slot,
                     QString::fromStdString(device.name), theme);
            painter.setFont(Look::sans(tokens().sizes.type.small));
            painter.setPen(theme.text.secondary);
            painter.drawText(QRect(room.left() + 24, top, names - 24, chip), Qt::AlignVCenter,
                             QString::fromStdString(device.name));
        }
        paintBars(painter, {room.left() + names, top, room.width() - names, down}, device, longest);
        top += down;
    }
}

void PredictionPanel::paintBars(QPainter& painter, const QRect& room, const DevicePreview& device,
                                double longest) const {
    constexpr int roomy = 16;
    const Theme& theme = context().look.theme();
    const QColor colour =
        theme.ofDevice(paletteIndexOf(design()->document().design(), device.name));
    const int outlined = room.height() >= roomy ? 5 : 3;
    const int filled = room.height() >= roomy ? 8 : 3;
    const auto pixels = [&](Nanoseconds time) {
        return static_cast<int>(room.width() * static_cast<double>(time.count) / longest);
    };
    if (device.step) {
        painter.setPen(checked_->isStepOlder() ? theme.text.tertiary : colour);
        paintPredicted(painter, {room.left(), room.top(), room.width(), outlined}, *device.step,
                       longest);
    }
    const int below = room.top() + outlined + 2;
    painter.fillRect(room.left(), below, room.width(), filled, theme.line.subtle);
    for (const StepTotals& total : typicalTotals_) {
        if (context().hub.spans().nameOf(total.device) == device.name) {
            const int work = pixels(total.compute);
            painter.fillRect(room.left(), below, work, filled, colour);
            painter.fillRect(room.left() + work, below,
                             pixels(total.communicate - total.overlapped), filled,
                             theme.trace.exposed);
        }
    }
}

/// Draws the busy time outlined with the painter's pen, and exposed communication in ink.
void PredictionPanel::paintPredicted(QPainter& painter, const QRect& room, const DeviceStep& device,
                                     double longest) const {
    const Theme& theme = context().look.theme();
    const StepPreview& whole = *checked_->withStep->step;
    const auto pixels = [&](Nanoseconds time) {
        return static_cast<int>(room.width() * static_cast<double>(time.count) / longest);
    };
    const int busy = std::max(1, pixels(device.totals.compute));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(room.left(), room.top(), busy, room.height() - 1);
    if (const int step = pixels(whole.time); step > busy + 2) {
        painter.setPen(theme.accent.ink);
        painter.drawRect(room.left() + busy + 1, room.top(), step - busy - 2, room.height() - 1);
    }
    // Predicted range of the step time.
    const TimeBand& band = whole.band;
    if (const int low = pixels(band.low); band.isKnown() && pixels(band.high) > low + 2) {
        const int middle = room.top() + room.height() / 2;
        painter.fillRect(room.left() + low, middle, pixels(band.high) - low, 1,
                         theme.text.secondary);
        for (const int end : {low, pixels(band.high)}) {
            painter.fillRect(room.left() + end, room.top(), 1, room.height(), theme.text.secondary);
        }
    }
}

} // namespace weft::ui
