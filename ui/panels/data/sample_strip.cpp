// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/data/sample_strip.h"

#include <QPainter>
#include <algorithm>

namespace weft::ui {

namespace {

constexpr int gap = 4;
constexpr int largestTile = 96;

} // namespace

SampleStrip::SampleStrip(Look& look, QWidget* parent) : QWidget(parent), look_(look) { fit(); }

bool SampleStrip::arePictures() const {
    return !samples_.empty() && !samples_.front().picture.isNull();
}

int SampleStrip::tile() const {
    const int room = width() - 2 * tokens().sizes.space.l;
    return std::clamp((room - (most - 1) * gap) / most, 1, largestTile);
}

void SampleStrip::show(std::vector<ShownSample> samples) {
    samples_ = std::move(samples);
    QStringList words;
    for (const ShownSample& sample : samples_) {
        words << (sample.label.isEmpty() ? sample.text : sample.label);
    }
    setAccessibleName(words.isEmpty() ? QString()
                                      : tr("Examples: %1").arg(words.join(QStringLiteral(", "))));
    fit();
    update();
}

void SampleStrip::fit() {
    const Sizes& sizes = tokens().sizes;
    const int line = sizes.size.rowTable;
    setFixedHeight(samples_.empty() ? 0
                   : arePictures()  ? tile() + line
                                    : line * static_cast<int>(samples_.size()));
}

void SampleStrip::resizeEvent(QResizeEvent*) { fit(); }

void SampleStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    arePictures() ? paintPictures(painter) : paintLines(painter);
}

void SampleStrip::paintPictures(QPainter& painter) const {
    const Sizes& sizes = tokens().sizes;
    QRect box(sizes.space.l, 0, tile(), tile());
    painter.setFont(Look::sans(sizes.type.small));
    painter.setPen(look_.theme().text.secondary);
    for (const ShownSample& sample : samples_) {
        const QSize size = sample.picture.size().scaled(box.size(), Qt::KeepAspectRatio);
        QRect at({}, size);
        at.moveCenter(box.center());
        painter.fillRect(box, look_.theme().surface.field);
        painter.drawImage(at, sample.picture); // nearest neighbour: every number is a square
        painter.drawText(
            QRect(box.left(), box.bottom() + 1, box.width(), sizes.size.rowTable), Qt::AlignCenter,
            painter.fontMetrics().elidedText(sample.label, Qt::ElideMiddle, box.width() + gap));
        box.translate(box.width() + gap, 0);
    }
}

void SampleStrip::paintLines(QPainter& painter) const {
    const Sizes& sizes = tokens().sizes;
    QRect line(sizes.space.l, 0, width() - 2 * sizes.space.l, sizes.size.rowTable);
    for (const ShownSample& sample : samples_) {
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
        line.translate(0, sizes.size.rowTable);
    }
}

} // namespace weft::ui
