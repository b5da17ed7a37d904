// SPDX-License-Identifier: Apache-2.0
#include "panels/data/sample_strip.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

namespace weft::ui {

namespace {

constexpr int gap = 4;
constexpr int leastTile = 40;
constexpr int largestTile = 96;

QString wordOf(const ShownSample& sample) {
    return sample.label.isEmpty() ? sample.text : sample.label;
}

} // namespace

SampleStrip::SampleStrip(Look& look, QWidget* parent) : QWidget(parent), look_(look) {
    fitHeight();
}

bool SampleStrip::arePictures() const {
    return isReading_ || (!samples_.empty() && !samples_.front().picture.isNull());
}

int SampleStrip::boxCount() const {
    return isReading_ ? previousCount_ : static_cast<int>(samples_.size());
}

int SampleStrip::columns() const {
    const int room = width() - 2 * tokens().sizes.space.l + gap;
    const int fitting = std::clamp(room / (leastTile + gap), 1, mostSamples);
    // Distributes examples evenly over the rows.
    const int rows = (boxCount() + fitting - 1) / fitting;
    return rows == 0 ? 1 : (boxCount() + rows - 1) / rows;
}

int SampleStrip::tileSize() const {
    const int room = width() - 2 * tokens().sizes.space.l + gap;
    return std::clamp(room / columns() - gap, 1, largestTile);
}

QRect SampleStrip::boxOf(int sample) const {
    const Sizes& sizes = tokens().sizes;
    const int line = sizes.size.rowTable;
    if (!arePictures()) {
        return {sizes.space.l, sample * line, width() - 2 * sizes.space.l, line};
    }
    const int side = tileSize();
    return {sizes.space.l + sample % columns() * (side + gap), sample / columns() * (side + line),
            side, side + line};
}

void SampleStrip::show(std::vector<ShownSample> samples) {
    isReading_ = false;
    samples_ = std::move(samples);
    previousCount_ = samples_.empty() ? mostSamples : boxCount();
    QStringList words;
    for (const ShownSample& sample : samples_) {
        words << wordOf(sample);
    }
    setAccessibleName(words.isEmpty() ? QString()
                                      : tr("Examples: %1").arg(words.join(QStringLiteral(", "))));
    fitHeight();
    update();
}

void SampleStrip::showReading() {
    isReading_ = true;
    samples_.clear();
    setAccessibleName(tr("Examples are being read"));
    fitHeight();
    update();
}

void SampleStrip::fitHeight() {
    const int height = boxCount() == 0 ? 0 : boxOf(boxCount() - 1).bottom() + 1;
    if (height != this->height() || height != minimumHeight()) {
        setFixedHeight(height);
    }
}

void SampleStrip::resizeEvent(QResizeEvent*) { fitHeight(); }

bool SampleStrip::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) {
        return QWidget::event(event);
    }
    const auto* help = static_cast<QHelpEvent*>(event);
    for (int i = 0; i < static_cast<int>(samples_.size()); ++i) {
        if (boxOf(i).contains(help->pos())) {
            QToolTip::showText(
                help->globalPos(),
                tr("Example %1: %2").arg(i + 1).arg(wordOf(samples_[static_cast<std::size_t>(i)])),
                this, boxOf(i));
            return true;
        }
    }
    QToolTip::hideText();
    return true;
}

void SampleStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (isReading_) {
        paintFrames(painter);
    } else {
        arePictures() ? paintPictures(painter) : paintLines(painter);
    }
}

void SampleStrip::paintFrames(QPainter& painter) const {
    painter.setPen(look_.theme().line.normal);
    for (int i = 0; i < boxCount(); ++i) {
        const QRect box = boxOf(i);
        painter.drawRect(QRect(box.topLeft(), QSize(box.width(), box.width())) -
                         QMargins(0, 0, 1, 1));
    }
}

void SampleStrip::paintPictures(QPainter& painter) const {
    const Sizes& sizes = tokens().sizes;
    painter.setFont(Look::sans(sizes.type.small));
    painter.setPen(look_.theme().text.secondary);
    for (std::size_t i = 0; i < samples_.size(); ++i) {
        const ShownSample& sample = samples_[i];
        const QRect box(boxOf(static_cast<int>(i)).topLeft(), QSize(tileSize(), tileSize()));
        const QSize size = sample.picture.size().scaled(box.size(), Qt::KeepAspectRatio);
        QRect at({}, size);
        at.moveCenter(box.center());
        painter.fillRect(box, look_.theme().surface.field);
        painter.drawImage(at, sample.picture); // nearest neighbour, so that every value is a square
        painter.drawText(
            QRect(box.left(), box.bottom() + 1, box.width(), sizes.size.rowTable), Qt::AlignCenter,
            painter.fontMetrics().elidedText(sample.label, Qt::ElideMiddle, box.width() + gap));
    }
}

void SampleStrip::paintLines(QPainter& painter) const {
    const Sizes& sizes = tokens().sizes;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
        const ShownSample& sample = samples_[i];
        const QRect line = boxOf(static_cast<int>(i));
        painter.fillRect(line.left(), line.bottom(), line.width(), 1, look_.theme().line.subtle);
        painter.setFont(Look::sans(sizes.type.small));
        painter.setPen(look_.theme().text.tertiary);
        painter.drawText(line, Qt::AlignVCenter | Qt::AlignRight, sample.label);
        const int taken =
            sample.label.isEmpty()
                ? 0
                : painter.fontMetrics().horizontalAdvance(sample.label) + sizes.space.m;
        painter.setFont(Look::mono(sizes.type.small));
        painter.setPen(look_.theme().text.secondary);
        painter.drawText(
            line, Qt::AlignVCenter | Qt::AlignLeft,
            painter.fontMetrics().elidedText(sample.text, Qt::ElideRight, line.width() - taken));
    }
}

} // namespace weft::ui
