// SPDX-License-Identifier: Apache-2.0
#include "shell/start/design_card.h"

#include "document/count_layers.h"
#include "document/device_slot.h"
#include "shell/start/thumbnail.h"
#include "theme/quantity.h"
#include "widgets/chips.h"
#include "workspace/aside.h"

#include <QPainter>
#include <QPainterPath>
#include <QStyle>

namespace weft::ui {

namespace {

constexpr QSize whole(282, 194);
constexpr int pictureHeight = 120;

} // namespace

QString sizeOf(const Design& design) {
    return quantity::counted(countLayers(design, design.network), DesignCard::tr("layer"),
                             DesignCard::tr("layers"));
}

DesignCard::DesignCard(Look& look, std::shared_ptr<const std::vector<LayerKindInfo>> kinds,
                       Design design, const QString& title, QString line, QWidget* parent)
    : QAbstractButton(parent),
      look_(look),
      kinds_(std::move(kinds)),
      design_(std::make_shared<const Design>(std::move(design))),
      line_(std::move(line)) {
    setText(title);
    note_ = QString::fromStdString(design_->note).section('\n', 0, 0);
    setAccessibleName(title);
    setAccessibleDescription(line_ + ". " + note_);
    setFixedSize(whole);
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    connect(&look_, &Look::changed, this, &DesignCard::draw);
    draw();
}

QSize DesignCard::sizeHint() const { return whole; }

void DesignCard::draw() {
    // The preview of a large design takes a moment.
    runInBackground(
        this,
        [design = design_, kinds = kinds_, ratio = devicePixelRatioF(), &theme = look_.theme()] {
            try {
                return thumbnailOf(*design, *kinds, {whole.width() - 2, pictureHeight - 2}, ratio,
                                   theme);
            } catch (const std::exception&) {
                return QImage(); // the card stays without a picture
            }
        },
        [this](const QImage& picture) {
            picture_ = picture;
            update();
        });
}

void DesignCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = look_.theme();
    const Sizes& sizes = tokens().sizes;
    painter.setRenderHint(QPainter::Antialiasing, true);
    const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    QPainterPath path;
    path.addRoundedRect(box, sizes.radius.frame, sizes.radius.frame);
    painter.fillPath(path, underMouse() ? theme.surface.hover : theme.surface.node);
    painter.save();
    painter.setClipPath(path);
    const QRect top(1, 1, width() - 2, pictureHeight - 2);
    painter.fillRect(top, theme.surface.canvas);
    painter.drawImage(top.topLeft(), picture_);
    painter.fillRect(0, pictureHeight, width(), 1, theme.line.subtle);
    painter.restore();
    painter.setPen(underMouse() ? theme.line.strong : theme.line.normal);
    painter.drawPath(path);
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent.focus, sizes.stroke.focus));
        painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), sizes.radius.frame, sizes.radius.frame);
    }
    QRect text = rect().adjusted(sizes.space.l, pictureHeight + 8, -sizes.space.l, -8);
    constexpr int chip = 18;
    int chips = 0;
    for (auto device = design_->devices.rbegin(); device != design_->devices.rend() && chips < 8;
         ++device) {
        ++chips;
        drawChip(painter, QRect(text.right() - chips * chip + 2, text.top() + 1, 16, 16),
                 paletteIndexOf(*design_, device->name), QString::fromStdString(device->name),
                 theme);
    }
    const auto write = [&](const QString& what, const QFont& font, const QColor& colour, int room) {
        painter.setFont(font);
        painter.setPen(colour);
        painter.drawText(text, Qt::AlignTop | Qt::AlignLeft,
                         painter.fontMetrics().elidedText(what, Qt::ElideRight, room));
    };
    write(this->text(), Look::sans(sizes.type.label, sizes.type.semibold), theme.text.primary,
          text.width() - chips * chip - 8);
    text.translate(0, 21);
    write(line_, Look::sans(sizes.type.small), theme.text.tertiary, text.width());
    text.translate(0, 18);
    write(note_, Look::sans(sizes.type.small), theme.text.secondary, text.width());
}

} // namespace weft::ui
