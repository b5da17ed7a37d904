// SPDX-License-Identifier: Apache-2.0
#include "timeline/kind_legend.h"

#include "theme/look.h"
#include "theme/quantity.h"
#include "timeline/memory_drawing.h"

#include <QPainter>

namespace weft::ui {

namespace {

constexpr int swatch = 10;

} // namespace

KindLegend::KindLegend(const Look& look, QWidget* parent) : QWidget(parent), look_(look) {
    setToolTip(tr("The memory of each kind at the peak of the step"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&look_, &Look::changed, this, qOverload<>(&QWidget::update));
}

void KindLegend::show(const std::array<Bytes, blockKinds>& bytesAtPeak, int paletteIndex) {
    bytesAtPeak_ = bytesAtPeak;
    paletteIndex_ = paletteIndex;
    setAccessibleName(tr("At the peak: %1").arg(entryTexts(true).join(QStringLiteral(", "))));
    updateGeometry();
    update();
}

QStringList KindLegend::entryTexts(bool hasBytes) const {
    const std::array<QString, blockKinds> names{tr("weights"), tr("state"), tr("gradients"),
                                                tr("activations"), tr("buffers")};
    QStringList entryTexts;
    for (std::size_t kind = 0; kind < blockKinds; ++kind) {
        const QString bytes = quantity::bytes(static_cast<double>(bytesAtPeak_.at(kind).count));
        entryTexts << (hasBytes ? names.at(kind) + ' ' + bytes : names.at(kind));
    }
    return entryTexts;
}

int KindLegend::widthOf(const QStringList& entryTexts) const {
    const QFontMetrics metrics(Look::sans(Look::sizes().type.small));
    int wide = 0;
    for (const QString& word : entryTexts) {
        wide += swatch + Look::sizes().space.xs + metrics.horizontalAdvance(word) +
                Look::sizes().space.l;
    }
    return wide;
}

QSize KindLegend::sizeHint() const { return {widthOf(entryTexts(true)), Look::sizes().size.row}; }

QSize KindLegend::minimumSizeHint() const {
    return {widthOf(entryTexts(false)), Look::sizes().size.row};
}

void KindLegend::paintEvent(QPaintEvent*) {
    const Theme& theme = look_.theme();
    QPainter painter(this);
    painter.setFont(Look::sans(Look::sizes().type.small));
    const QStringList shown = entryTexts(widthOf(entryTexts(true)) <= width());
    int left = 0;
    for (int kind = 0; kind < shown.size(); ++kind) {
        const QRect box(left, (height() - swatch) / 2, swatch, swatch);
        painter.fillRect(box, blockColour(static_cast<BlockKind>(kind), paletteIndex_, theme));
        left += swatch + Look::sizes().space.xs;
        const int wide = painter.fontMetrics().horizontalAdvance(shown[kind]);
        painter.setPen(theme.text.secondary);
        painter.drawText(QRect(left, 0, wide + 2, height()), Qt::AlignVCenter, shown[kind]);
        left += wide + Look::sizes().space.l;
    }
}

} // namespace weft::ui
