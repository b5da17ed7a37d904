// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/thumbnail.h"

#include "canvas/build_display_list.h"
#include "canvas/canvas_painter.h"
#include "canvas/layout/layered_layout.h"

#include <QPainter>
#include <map>

namespace weft::ui {

namespace {

/// Rows in the order of the data, folded into the picture's shape: what the canvas's own places
/// look like at this size says little.
Design laidOut(const Design& design, double aspect) {
    Design placed = design;
    LayoutGraph graph;
    std::map<LayerId, int> numbers;
    const Sizes::Size& size = tokens().sizes.size;
    for (const Layer& layer : placed.network.layers) {
        numbers.emplace(layer.id, static_cast<int>(numbers.size()));
        graph.sizes.emplace_back(size.nodeWidth, size.nodeHeight);
    }
    for (const Wire& wire : placed.network.wires) {
        graph.edges.emplace_back(numbers.at(wire.from.layer), numbers.at(wire.to.layer));
    }
    const std::vector<QPointF> places =
        layeredLayout(graph, {.besides = 60, .below = 24, .columns = 120, .aspect = aspect});
    for (std::size_t i = 0; i < places.size(); ++i) {
        placed.network.layers[i].position = {places[i].x(), places[i].y()};
    }
    placed.network.frames.clear();
    placed.network.comments.clear();
    return placed;
}

} // namespace

QImage thumbnailOf(const Design& design, const std::vector<LayerKindInfo>& kinds, QSize size,
                   double ratio, const Theme& theme) {
    QImage image((QSizeF(size) * ratio).toSize(), QImage::Format_RGB32);
    image.fill(theme.surface.canvas);
    const Design placed = laidOut(design, static_cast<double>(size.width()) / size.height());
    PreviewCache cache;
    const Preview& known = preview(placed, cache, {.wantsLegal = false});
    const DisplayList list =
        buildDisplayList({.design = &placed, .kinds = &kinds, .preview = &known});
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
