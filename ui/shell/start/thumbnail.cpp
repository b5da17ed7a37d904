// SPDX-License-Identifier: Apache-2.0
#include "shell/start/thumbnail.h"

#include "canvas/paint/canvas_painter.h"
#include "canvas/scene/build_display_list.h"
#include "layout/arrange.h"

#include <QPainter>

namespace weft::ui {

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

} // namespace weft::ui
