// SPDX-License-Identifier: Apache-2.0
#include "panels/prediction/rates_corner.h"

#include "theme/quantity.h"
#include "theme/symbols.h"

#include <QAction>
#include <QDateTime>
#include <QLocale>
#include <QPainter>
#include <QToolButton>
#include <algorithm>

namespace weft::ui {

namespace {

constexpr int noteHeight = 18;
constexpr int barHeight = 2;

QFont noteFont() { return Look::sans(tokens().sizes.type.small); }

} // namespace

RatesCorner::RatesCorner(WindowContext& context, QWidget* parent)
    : QWidget(parent), context_(context), calibrateButton_(new QToolButton(this)) {
    calibrateButton_->setObjectName(QStringLiteral("recalibrate"));
    calibrateButton_->setFocusPolicy(Qt::TabFocus);
    connect(calibrateButton_, &QToolButton::clicked, this, [this] {
        if (QAction* measure = context_.commands.find(QStringLiteral("parallel.recalibrate"))) {
            measure->trigger();
        }
    });
    connect(&context_.calibration, &Calibration::changed, this, &RatesCorner::showState);
    connect(&context_, &WindowContext::machineKnown, this, &RatesCorner::showState);
    connect(&context_.look, &Look::changed, this, &RatesCorner::showState);
    setOneLine(false);
}

void RatesCorner::setOneLine(bool isOneLine) {
    isOneLine_ = isOneLine;
    calibrateButton_->setAutoRaise(isOneLine);
    calibrateButton_->setToolButtonStyle(isOneLine ? Qt::ToolButtonIconOnly
                                                   : Qt::ToolButtonTextBesideIcon);
    showState();
}

void RatesCorner::showState() {
    const Theme& theme = context_.look.theme();
    const bool isMeasuring = context_.calibration.isMeasuring();
    calibrateButton_->setIcon(
        symbolIcon(isMeasuring ? QStringLiteral("actions/stop") : QStringLiteral("actions/measure"),
                   theme.text.secondary, theme.text.disabled));
    calibrateButton_->setText(isMeasuring ? tr("Stop") : tr("Recalibrate"));
    const QString what = isMeasuring
                             ? tr("Stops measuring and keeps the previous rates.")
                             : tr("Measures this machine again and updates every prediction.");
    calibrateButton_->setToolTip(what + '\n' + note());
    calibrateButton_->setAccessibleName(calibrateButton_->text() + QStringLiteral(", ") + note());
    placeButton();
    update();
}

QString RatesCorner::note() const {
    if (context_.calibration.isMeasuring()) {
        return tr("Measuring, %1").arg(quantity::percent(context_.calibration.progress()));
    }
    if (const KnownHost* host = context_.predictionHost();
        host != nullptr && host->report != nullptr) {
        return tr("Rates of %1").arg(host->name());
    }
    const auto machine = context_.machine();
    if (machine == nullptr) {
        return {};
    }
    qint64 latest = 0;
    bool isMeasured = false;
    for (const DeviceSheet& sheet : machine->machine.devices) {
        latest = std::max<qint64>(latest, sheet.measuredAt);
        isMeasured = isMeasured || sheet.isMeasured;
    }
    if (latest > 0) {
        const QDate day = QDateTime::fromSecsSinceEpoch(latest).date();
        return tr("Rates of %1").arg(QLocale().toString(day, QStringLiteral("d MMMM")));
    }
    return isMeasured ? tr("Older rates") : tr("Rates are assumed");
}

QSize RatesCorner::sizeHint() const {
    const QSize button = calibrateButton_->sizeHint();
    if (isOneLine_) {
        return button;
    }
    // Reserves the width of the longest note, so that the layout doesn't move during calibration.
    const int note = QFontMetrics(noteFont())
                         .horizontalAdvance(tr("Rates of %1").arg(QStringLiteral("30 September")));
    return {std::max(button.width(), note),
            button.height() + noteHeight + barHeight + tokens().sizes.space.xs};
}

void RatesCorner::resizeEvent(QResizeEvent*) { placeButton(); }

/// Aligns right, since the two labels of the button differ in width.
void RatesCorner::placeButton() {
    const QSize button = calibrateButton_->sizeHint();
    calibrateButton_->setGeometry(width() - button.width(),
                                  isOneLine_ ? (height() - button.height()) / 2 : 0, button.width(),
                                  button.height());
}

void RatesCorner::paintEvent(QPaintEvent*) {
    if (isOneLine_) {
        return;
    }
    const Theme& theme = context_.look.theme();
    QPainter painter(this);
    painter.setFont(noteFont());
    painter.setPen(theme.text.tertiary);
    const QRect room(0, calibrateButton_->height() + tokens().sizes.space.xs, width(), noteHeight);
    painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(note(), Qt::ElideMiddle, room.width()));
    if (context_.calibration.isMeasuring()) {
        const int done = static_cast<int>(width() * context_.calibration.progress());
        painter.fillRect(0, room.bottom() + 1, width(), barHeight, theme.line.subtle);
        painter.fillRect(0, room.bottom() + 1, done, barHeight, theme.accent.ink);
    }
}

} // namespace weft::ui
