// SPDX-License-Identifier: Apache-2.0
#include "widgets/chips.h"

#include "theme/look.h"

#include <QPainter>
#include <algorithm>

namespace weft::ui {

namespace {

constexpr int side = 16;
constexpr int pitch = side + 2;
constexpr int most = 12; ///< more are shown as "+ n"
constexpr int rest = 32; ///< width of "+ n"

} // namespace

QString digitOf(const QString& device) {
    const qsizetype before = std::max(device.lastIndexOf(':'), device.lastIndexOf('/'));
    const QString text = device.mid(before + 1);
    const bool isNumber =
        !text.isEmpty() && std::ranges::all_of(text, [](QChar each) { return each.isDigit(); });
    return before >= 0 && isNumber ? text : QString();
}

void drawChip(QPainter& painter, const QRect& box, int slot, const QString& device,
              const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.ofDevice(slot));
    painter.drawRoundedRect(box, 3, 3);
    painter.setPen(theme.digitOn(slot));
    painter.setFont(Look::mono(tokens().sizes.type.micro, 500));
    painter.drawText(box, Qt::AlignCenter, digitOf(device));
    painter.restore();
}

QIcon chipIcon(int slot, const QString& device, const Theme& theme) {
    constexpr int ratio = 2;
    QPixmap picture(ratio * side, ratio * side);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    drawChip(painter, {0, 0, side, side}, slot, device, theme);
    return picture;
}

ChipRow::ChipRow(std::function<const Theme&()> theme, QWidget* parent)
    : QWidget(parent), theme_(std::move(theme)) {}

void ChipRow::setDevices(const std::vector<int>& hues, const QStringList& names) {
    hues_ = hues;
    names_ = names;
    setToolTip(names.join('\n'));
    setAccessibleName(tr("Devices: %1").arg(names.join(QStringLiteral(", "))));
    updateGeometry();
    update();
}

QSize ChipRow::sizeHint() const {
    const int count = static_cast<int>(hues_.size());
    return {std::min(count, most) * pitch + (count > most ? rest : 0), side};
}

QSize ChipRow::minimumSizeHint() const {
    return {std::min(sizeHint().width(), pitch + rest), side};
}

void ChipRow::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = theme_();
    const int count = static_cast<int>(hues_.size());
    const bool isWhole = count <= most && count * pitch <= width();
    const int shown = isWhole ? count : std::clamp((width() - rest) / pitch, 0, most);
    QRect box(0, (height() - side) / 2, side, side);
    for (int i = 0; i < shown; ++i) {
        drawChip(painter, box, hues_[static_cast<std::size_t>(i)], names_.value(i), theme);
        box.translate(pitch, 0);
    }
    if (shown < count) {
        painter.setFont(Look::mono(tokens().sizes.type.small));
        painter.setPen(theme.text.secondary);
        painter.drawText(box.adjusted(2, 0, 16, 0), Qt::AlignVCenter,
                         QStringLiteral("+%1").arg(count - shown));
    }
}

} // namespace weft::ui
