// SPDX-License-Identifier: Apache-2.0
// What every lens draws on a node: the measured time and the mark of a running layer.
#include "canvas/live/lens.h"

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

/// Percentages above 1000 % have no room beside a time.
QString changeOf(double off) {
    constexpr double tenTimes = 9;
    return off < tenTimes ? quantity::signedPercent(off) : QChar(0x00D7) + quantity::count(off + 1);
}

} // namespace

bool Lens::needsRepaint(const NodeView& /*node*/, int /*number*/, const Viewport& /*viewport*/,
                        const LiveNode* before, const LiveNode* now) {
    return before == nullptr || now == nullptr ? before != now : *before != *now;
}

void Lens::drawWholeNode(QPainter& painter, const LiveScene& scene, int number,
                         const LiveNode& live) {
    const NodeView& node = scene.list.nodes[static_cast<std::size_t>(number)];
    const QRect box = scene.viewport.toDevice(node.box);
    if (live.isPast) {
        painter.setOpacity(pastOpacity);
    }
    drawNode(painter, scene, number, live);
    if (drawsTimes()) {
        drawTime(painter, scene, node, live, box);
    }
    painter.setOpacity(1);
    if (live.isRunning) {
        drawRunning(painter, scene, box);
    }
}

QPointF Lens::drawMark(QPainter& painter, const LiveScene& scene, const QRect& box,
                       const QColor& colour) {
    const double size = tokens().sizes.size.icon * scene.viewport.ratio;
    const QPointF centre(box.right() - size / 4, box.top() + size / 4);
    drawDisc(painter, centre, size, scene.theme.surface.overlay, colour,
             1.5 * scene.viewport.ratio);
    return centre;
}

void Lens::drawRunning(QPainter& painter, const LiveScene& scene, const QRect& box) {
    const QPointF centre = drawMark(painter, scene, box, scene.theme.accent.ink);
    const double reach = tokens().sizes.size.icon * scene.viewport.ratio / 4;
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(Qt::NoPen);
    painter.setBrush(scene.theme.accent.ink);
    painter.drawPolygon(
        QPolygonF({centre + QPointF(-0.7 * reach, -reach), centre + QPointF(1.1 * reach, 0),
                   centre + QPointF(-0.7 * reach, reach)}));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void Lens::drawTime(QPainter& painter, const LiveScene& scene, const NodeView& node,
                    const LiveNode& live, const QRect& box) {
    if (live.measured <= 0 || scene.viewport.isFar()) {
        return;
    }
    const Sizes& sizes = tokens().sizes;
    const double scale = scene.viewport.scale();
    const QString time = quantity::time(live.measured);
    if (!scene.viewport.isNear() || node.isCompact) {
        if (scene.state.isRun && hasRoomForText(node, scene.viewport)) {
            const double px = scene.viewport.isNear() ? sizes.type.small * scale
                                                      : sizes.type.small * scene.viewport.ratio;
            text_.draw(painter, timeTextEnd(node, box, scene.viewport), time, TextRole::mono, px,
                       scene.theme.text.primary, TextAlign::right);
        }
        return;
    }
    const double longest = std::max(scene.list.longest, scene.state.longest);
    const QRect bar = timeBarBox(box, live.measured / longest, true, scene.viewport);
    painter.fillRect(bar, scene.theme.text.primary);
    const double off = node.predicted > 0 ? live.measured / node.predicted - 1 : 0;
    const bool isOutside = !live.isPast && node.isOutside(live.measured);
    if (isOutside) {
        for (const QRect& column : outOfRangeArrow(bar, off > 0, scene.viewport)) {
            painter.fillRect(column, scene.theme.text.primary);
        }
    }
    QString words = time;
    if (std::abs(off) > worthSaying || isOutside) {
        words += ' ' + changeOf(off);
    }
    text_.draw(painter, timeTextEnd(node, box, scene.viewport), words, TextRole::mono,
               sizes.type.small * scale, scene.theme.text.primary, TextAlign::right);
}

} // namespace weft::ui
