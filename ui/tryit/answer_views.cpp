// SPDX-License-Identifier: Apache-2.0
#include "tryit/answer_views.h"

#include "theme/blend.h"
#include "theme/look.h"
#include "theme/quantity.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace weft::ui {

namespace {

constexpr int barHeight = 10;
constexpr int nameWidth = 76;
constexpr int shareWidth = 60;
constexpr int matrixMargin = 52;
constexpr int tile = 56;
constexpr int tilePitch = 72;
constexpr int tileRow = 80;
constexpr int cellForText = 24;

} // namespace

AnswerBars::AnswerBars(const Look& look, QWidget* parent) : QWidget(parent), look_(look) {
    setMinimumWidth(nameWidth + shareWidth + 80);
    connect(&look_, &Look::changed, this, qOverload<>(&QWidget::update));
}

void AnswerBars::show(std::vector<ClassGuess> guesses) {
    guesses_ = std::move(guesses);
    QStringList texts;
    for (const ClassGuess& guess : guesses_) {
        texts << QStringLiteral("%1 %2").arg(QString::fromStdString(guess.name),
                                             quantity::percent(guess.confidence));
    }
    setAccessibleName(tr("Answer: %1").arg(texts.join(QStringLiteral(", "))));
    updateGeometry();
    update();
}

QSize AnswerBars::sizeHint() const {
    const auto rows = static_cast<int>(std::max<std::size_t>(guesses_.size(), 3));
    return {260, rows * Look::sizes().size.row + Look::sizes().space.l};
}

void AnswerBars::paintEvent(QPaintEvent*) {
    const Theme& theme = look_.theme();
    const Sizes& sizes = Look::sizes();
    QPainter painter(this);
    int top = sizes.space.s;
    for (std::size_t i = 0; i < guesses_.size(); ++i) {
        const ClassGuess& guess = guesses_[i];
        const int middle = top + sizes.size.row / 2;
        painter.setFont(
            Look::sans(sizes.type.body, i == 0 ? sizes.type.semibold : sizes.type.regular));
        painter.setPen(i == 0 ? theme.text.primary : theme.text.secondary);
        const QRect name(sizes.space.m, top, nameWidth - sizes.space.m, sizes.size.row);
        painter.drawText(
            name, Qt::AlignVCenter,
            QFontMetrics(painter.font())
                .elidedText(QString::fromStdString(guess.name), Qt::ElideMiddle, name.width()));
        const int room = width() - nameWidth - shareWidth - sizes.space.m;
        const QRect track(nameWidth, middle - barHeight / 2, room, barHeight);
        painter.fillRect(track, theme.line.subtle);
        painter.fillRect(
            QRect(track.topLeft(),
                  QSize(static_cast<int>(std::round(room * guess.confidence)), barHeight)),
            i == 0 ? theme.accent.ink : theme.text.secondary);
        painter.setFont(Look::mono(sizes.type.small));
        painter.drawText(
            QRect(width() - shareWidth - sizes.space.m, top, shareWidth, sizes.size.row),
            Qt::AlignRight | Qt::AlignVCenter, quantity::percent(guess.confidence));
        top += sizes.size.row;
    }
}

ConfusionMatrix::ConfusionMatrix(const Look& look, QWidget* parent) : QWidget(parent), look_(look) {
    setMinimumSize(200, 200);
    connect(&look_, &Look::changed, this, qOverload<>(&QWidget::update));
}

void ConfusionMatrix::show(ClassScores scores, QStringList names) {
    scores_ = std::move(scores);
    names_ = std::move(names);
    setAccessibleName(tr("Confusion matrix of %1 classes, %2 right of %3")
                          .arg(scores_.classes)
                          .arg(scores_.correct)
                          .arg(scores_.examples));
    update();
}

QString ConfusionMatrix::nameOf(std::int64_t index) const {
    return index < names_.size() ? names_[static_cast<int>(index)] : QString::number(index);
}

QRect ConfusionMatrix::cell(std::int64_t truth, std::int64_t predicted) const {
    const int side = std::max(1, std::min(width(), height()) - matrixMargin);
    const auto at = [&](std::int64_t index) {
        return matrixMargin + static_cast<int>(side * index / scores_.classes);
    };
    return {at(predicted), at(truth), std::max(1, at(predicted + 1) - at(predicted) - 1),
            std::max(1, at(truth + 1) - at(truth) - 1)};
}

void ConfusionMatrix::paintEvent(QPaintEvent*) {
    if (scores_.classes == 0) {
        return;
    }
    const Theme& theme = look_.theme();
    QPainter painter(this);
    const QRect first = cell(0, 0);
    const bool hasText = first.width() >= cellForText;
    painter.setFont(Look::mono(Look::sizes().type.small));
    for (std::int64_t truth = 0; truth < scores_.classes; ++truth) {
        std::int64_t row = 0;
        for (std::int64_t predicted = 0; predicted < scores_.classes; ++predicted) {
            row += scores_.at(truth, predicted);
        }
        for (std::int64_t predicted = 0; predicted < scores_.classes; ++predicted) {
            const std::int64_t count = scores_.at(truth, predicted);
            const double share =
                row > 0 ? static_cast<double>(count) / static_cast<double>(row) : 0;
            // The square root makes the few errors visible beside the many correct answers.
            painter.fillRect(cell(truth, predicted),
                             blend(theme.surface.field, theme.accent.ink, std::sqrt(share)));
            if (hasText && count > 0) {
                painter.setPen(share > 0.25 ? theme.text.onInk : theme.text.primary);
                painter.drawText(cell(truth, predicted), Qt::AlignCenter, QString::number(count));
            }
        }
        if (first.height() >= Look::sizes().type.small) {
            const QFontMetrics metrics(painter.font());
            painter.setPen(theme.text.secondary);
            const QRect box = cell(truth, 0);
            painter.drawText(QRect(0, box.top(), matrixMargin - 6, box.height()),
                             Qt::AlignRight | Qt::AlignVCenter,
                             metrics.elidedText(nameOf(truth), Qt::ElideMiddle, matrixMargin - 8));
            const QRect column = cell(0, truth);
            painter.drawText(QRect(column.left(), matrixMargin - 20, column.width(), 16),
                             Qt::AlignCenter,
                             metrics.elidedText(nameOf(truth), Qt::ElideMiddle, column.width()));
        }
    }
    painter.setFont(Look::sans(Look::sizes().type.small));
    painter.setPen(theme.text.tertiary);
    painter.drawText(QRect(matrixMargin, 0, width() - matrixMargin, 18), Qt::AlignLeft,
                     tr("predicted"));
    painter.drawText(QRect(0, 14, matrixMargin - 6, 18), Qt::AlignRight, tr("true"));
}

bool ConfusionMatrix::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) {
        return QWidget::event(event);
    }
    const auto* help = static_cast<QHelpEvent*>(event);
    for (std::int64_t truth = 0; truth < scores_.classes; ++truth) {
        for (std::int64_t predicted = 0; predicted < scores_.classes; ++predicted) {
            if (cell(truth, predicted).contains(help->pos())) {
                QToolTip::showText(help->globalPos(),
                                   tr("%1 of %2 classified as %3")
                                       .arg(scores_.at(truth, predicted))
                                       .arg(nameOf(truth), nameOf(predicted)),
                                   this);
                return true;
            }
        }
    }
    QToolTip::hideText();
    return true;
}

WorstExamples::WorstExamples(const Look& look, QWidget* parent) : QWidget(parent), look_(look) {
    setMinimumHeight(tileRow);
    connect(&look_, &Look::changed, this, qOverload<>(&QWidget::update));
}

void WorstExamples::show(std::vector<Shown> examples) {
    examples_ = std::move(examples);
    QStringList texts;
    for (const Shown& one : examples_) {
        texts << one.text;
    }
    setAccessibleName(tr("Worst examples: %1").arg(texts.join(QStringLiteral("; "))));
    update();
}

void WorstExamples::paintEvent(QPaintEvent*) {
    const Theme& theme = look_.theme();
    QPainter painter(this);
    painter.setFont(Look::sans(Look::sizes().type.small));
    painter.setPen(theme.text.secondary);
    const int across = std::max(1, width() / tilePitch);
    for (std::size_t i = 0; i < examples_.size(); ++i) {
        const auto at = static_cast<int>(i);
        const QPoint corner(at % across * tilePitch, at / across * tileRow);
        if (corner.y() + tileRow > height() && corner.y() > 0) {
            return; // partly visible pictures are not drawn
        }
        painter.drawImage(QRect(corner, QSize(tile, tile)), examples_[i].image);
        painter.drawText(QRect(corner + QPoint(0, tile + 2), QSize(tilePitch - 4, 18)),
                         Qt::AlignLeft | Qt::AlignTop, examples_[i].text);
    }
}

} // namespace weft::ui
