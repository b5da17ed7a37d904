// SPDX-License-Identifier: Apache-2.0
#include "shell/start/design_card.h"

#include "canvas/paint/canvas_painter.h"
#include "canvas/scene/build_display_list.h"
#include "document/count_layers.h"
#include "document/device_slot.h"
#include "layout/arrange.h"
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

/// Draws a small overview of the whole design with its splits and colours, laid out first if its
/// layers have no positions of their own; `size` in logical pixels. Callable from any thread.
QImage thumbnailOf(const Design& design, const std::vector<LayerKindInfo>& kinds, QSize size,
                   double ratio, const Theme& theme) {
    QImage image((QSizeF(size) * ratio).toSize(), QImage::Format_RGB32);
    image.fill(theme.surface.canvas);
    Design placed = arranged(design, kinds, static_cast<double>(size.width()) / size.height());
    placed.network.frames.clear();
    placed.network.comments.clear();
    PreviewCache cache;
    const auto known = preview(placed, cache, {.wantsLegal = false});
    const DisplayList list =
        buildDisplayList({.design = &placed, .kinds = &kinds, .preview = known.get()});
    if (list.bounds().isEmpty()) {
        return image;
    }
    constexpr double margin = 12;
    Viewport at;
    at.ratio = ratio;
    at.zoom = std::min((size.width() - 2 * margin) / list.bounds().width(),
                       (size.height() - 2 * margin) / list.bounds().height());
    at.zoom = std::min(at.zoom, tokens().sizes.zoom.blocks * 0.99);
    at.origin = list.bounds().center() - QPointF(size.width(), size.height()) / (2 * at.zoom);
    QPainter painter(&image);
    CanvasPainter().paint(painter, list, at, {}, theme, image.rect());
    painter.end();
    image.setDevicePixelRatio(ratio);
    return image;
}

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
