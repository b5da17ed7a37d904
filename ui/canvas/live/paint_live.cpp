// SPDX-License-Identifier: Apache-2.0
// Draws a run's data and differences on nodes, above the existing canvas: numbers, activations and
// marks. For heat see paint_heat.cpp.
#include "canvas/live/live_picture.h"
#include "canvas/paint/node_parts.h"
#include "theme/quantity.h"
#include "widgets/shapes.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace weft::ui {

namespace {

// Opacity of a measurement made before the layer was edited.
constexpr double pastOpacity = 0.38;
constexpr double worthSaying = 0.1;
constexpr int criticalLine = 3;

/// Percentages above 1000 % have no room beside a time.
QString changeOf(double off) {
    constexpr double tenTimes = 9;
    return off < tenTimes ? quantity::signedPercent(off) : QChar(0x00D7) + quantity::count(off + 1);
}

} // namespace

void LivePicture::drawNode(QPainter& painter, const Scene& scene, int number,
                           const LiveNode& live) {
    const auto place = static_cast<std::size_t>(number);
    const NodeView& node = scene.list.nodes[place];
    const QRect box = scene.at.toDevice(node.box);
    if (live.isPast) {
        if (lens_ == Lens::time && !scene.at.isFar()) {
            // Hides the content below.
            drawBox(painter, box, scene.at.px(tokens().sizes.radius.node),
                    scene.theme.surface.canvas, scene.theme.line.normal, 1);
        }
        painter.setOpacity(pastOpacity);
    }
    switch (lens_) {
    case Lens::time: paintedHeat(painter, scene, number, live); break;
    case Lens::difference:
        if (live.change) {
            drawChange(painter, scene, box, *live.change);
        }
        break;
    case Lens::activations:
        drawActivation(painter, scene, node, live, box);
        drawTime(painter, scene, node, live, box);
        break;
    case Lens::critical:
    case Lens::parallelism: drawTime(painter, scene, node, live, box); break;
    }
    painter.setOpacity(1);
    if (live.isRunning) {
        drawRunning(painter, scene, box);
    }
}

/// Draws a mark of constant screen size, so that it is visible when zoomed out.
void LivePicture::drawRunning(QPainter& painter, const Scene& scene, const QRect& box) {
    const double size = tokens().sizes.size.icon * scene.at.ratio;
    const QPointF centre(box.right() - size / 4, box.top() + size / 4);
    drawDisc(painter, centre, size, scene.theme.surface.overlay, scene.theme.accent.ink,
             1.5 * scene.at.ratio);
    const double reach = size / 4;
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(scene.theme.accent.ink);
    painter.drawPolygon(
        QPolygonF({centre + QPointF(-0.7 * reach, -reach), centre + QPointF(1.1 * reach, 0),
                   centre + QPointF(-0.7 * reach, reach)}));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void LivePicture::drawTime(QPainter& painter, const Scene& scene, const NodeView& node,
                           const LiveNode& live, const QRect& box) {
    if (live.measured <= 0 || scene.at.isFar()) {
        return;
    }
    const Sizes& sizes = tokens().sizes;
    const double scale = scene.at.scale();
    const QString time = quantity::time(live.measured);
    if (!scene.at.isNear() || node.isCompact) {
        if (scene.state.isRun && hasRoomForText(node, scene.at)) {
            const double px =
                scene.at.isNear() ? sizes.type.small * scale : sizes.type.small * scene.at.ratio;
            text_.draw(painter, timePlace(node, box, scene.at), time, TextRole::mono, px,
                       scene.theme.text.primary, TextAlign::right);
        }
        return;
    }
    const double longest = std::max(scene.list.longest, scene.state.longest);
    const QRect bar = costBar(box, live.measured / longest, true, scene.at);
    painter.fillRect(bar, scene.theme.text.primary);
    const double off = node.predicted > 0 ? live.measured / node.predicted - 1 : 0;
    const bool isOutside = !live.isPast && node.isOutside(live.measured);
    if (isOutside) {
        for (const QRect& column : outsideMark(bar, off > 0, scene.at)) {
            painter.fillRect(column, scene.theme.text.primary);
        }
    }
    QString words = time;
    if (std::abs(off) > worthSaying || isOutside) {
        words += ' ' + changeOf(off);
    }
    text_.draw(painter, timePlace(node, box, scene.at), words, TextRole::mono,
               sizes.type.small * scale, scene.theme.text.primary, TextAlign::right);
}

void LivePicture::drawActivation(QPainter& painter, const Scene& scene, const NodeView& node,
                                 const LiveNode& live, const QRect& box) const {
    if (live.activation.isNull() || node.isCompact || scene.at.isFar()) {
        return;
    }
    const QRect place = activationPlace(box, scene.at);
    painter.fillRect(place, scene.theme.surface.node);
    const QSize size = live.activation.size().scaled(place.size(), Qt::KeepAspectRatio);
    painter.drawImage(QRect(place.topLeft(), size), live.activation);
}

void LivePicture::drawChange(QPainter& painter, const Scene& scene, const QRect& box,
                             ChangeSort change) {
    const Theme& theme = scene.theme;
    const QColor& colour = change == ChangeSort::added     ? theme.semantic.ok
                           : change == ChangeSort::removed ? theme.semantic.error
                                                           : theme.semantic.info;
    const QString sign = change == ChangeSort::added     ? QStringLiteral("+")
                         : change == ChangeSort::removed ? QString(QChar(0x2212))
                                                         : QString(QChar(0x0394));
    // The mark has the same size at every zoom, so that it is visible from afar.
    const double size = tokens().sizes.size.icon * scene.at.ratio;
    const QPointF centre(box.right() - size / 4, box.top() + size / 4);
    drawDisc(painter, centre, size, theme.surface.overlay, colour, 1.5 * scene.at.ratio);
    const double px = tokens().sizes.type.small * scene.at.ratio;
    text_.draw(painter, centre + QPointF(0, px * 0.36), sign, TextRole::sansSemibold, px, colour,
               TextAlign::centre);
}

bool LivePicture::isCritical(LayerId layer) const {
    const auto found = nodes_.find(layer);
    return found != nodes_.end() && found->second.isCritical;
}

/// Draws borders and wires of the critical path in ink.
void LivePicture::drawCritical(QPainter& painter, const QRect& exposed, const Scene& scene) const {
    const QColor& ink = scene.theme.accent.ink;
    const int line = scene.at.fixed(criticalLine);
    for (const WireView& wire : scene.list.wires) {
        if (!isCritical(wire.wire.from.layer) || !isCritical(wire.wire.to.layer) ||
            !scene.at.toDevice(wire.box).adjusted(-rim, -rim, rim, rim).intersects(exposed)) {
            continue;
        }
        QPolygonF points;
        for (const QPointF& point : wire.line) {
            points << scene.at.toDevice(point);
        }
        painter.setPen(ink);
        painter.setRenderHint(QPainter::Antialiasing, true);
        drawThick(painter, points, line);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    for (const auto& [id, live] : nodes_) {
        const NodeView* node = live.isCritical ? scene.list.node(id) : nullptr;
        const QRect box = node == nullptr ? QRect() : scene.at.toDevice(node->box);
        if (box.adjusted(-rim, -rim, rim, rim).intersects(exposed)) {
            // Drawn on the border, to keep clear of the name.
            drawRing(painter, box.adjusted(-1, -1, 1, 1), scene.at.px(tokens().sizes.radius.node),
                     ink, line);
        }
    }
}

void LivePicture::drawRemoved(QPainter& painter, const QRect& exposed, const Scene& scene) {
    for (const RemovedNode& node : removed_) {
        const QRect box = scene.at.toDevice(node.box);
        if (!box.adjusted(-rim, -rim, rim, rim).intersects(exposed)) {
            continue;
        }
        const int line = scene.at.fixed(1);
        drawRing(painter, box, scene.at.px(tokens().sizes.radius.node), scene.theme.text.tertiary,
                 line);
        if (!scene.at.isFar()) {
            const double px = tokens().sizes.type.small * scene.at.ratio;
            const int inset = scene.at.px(8);
            text_.draw(painter, QPointF(box.left() + inset, box.top() + px * 1.4),
                       text_.elided(node.name, TextRole::sansMedium, px, box.width() - 2 * inset),
                       TextRole::sansMedium, px, scene.theme.text.secondary);
        }
        drawChange(painter, scene, box, ChangeSort::removed);
    }
}

} // namespace weft::ui
