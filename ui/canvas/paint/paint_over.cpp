// SPDX-License-Identifier: Apache-2.0
// Draws the interaction above everything else: rubber bands, cuts, alignment lines, a wire being
// drawn, the label at the pointer.
#include "canvas/paint/canvas_painter.h"
#include "canvas/paint/paint_frame.h"
#include "canvas/scene/wire_shape.h"
#include "widgets/shapes.h"

#include <QPainter>

namespace weft::ui {

namespace {

void drawBand(QPainter& painter, const QRect& band, const QColor& ink, int line) {
    QColor fill = ink;
    fill.setAlphaF(0.08F);
    painter.fillRect(band, fill);
    painter.fillRect(band.left(), band.top(), band.width(), line, ink);
    painter.fillRect(band.left(), band.bottom(), band.width(), line, ink);
    painter.fillRect(band.left(), band.top(), line, band.height(), ink);
    painter.fillRect(band.right(), band.top(), line, band.height(), ink);
}

QPolygonF toDevice(const Viewport& viewport, const auto& line) {
    QPolygonF points;
    for (const QPointF& point : line) {
        points << viewport.toDevice(point);
    }
    return points;
}

} // namespace

void CanvasPainter::paintInteraction(Frame& to) {
    const QColor& ink = to.theme.accent.ink;
    if (to.state.band) {
        drawBand(to.painter, to.viewport.toDevice(to.state.band->normalized()), ink, to.fixed(1));
    }
    to.painter.setBrush(Qt::NoBrush);
    if (!to.state.lasso.isEmpty()) {
        to.painter.setPen(QPen(ink, 1));
        to.painter.drawPolygon(toDevice(to.viewport, to.state.lasso));
    }
    if (!to.state.cut.isEmpty()) {
        QPen pen(to.theme.semantic.error, 1);
        pen.setDashPattern({4, 3});
        to.painter.setPen(pen);
        to.painter.drawPolyline(toDevice(to.viewport, to.state.cut));
    }
    for (const QLineF& guide : to.state.guides) {
        const QPoint from = to.viewport.toDevice(guide.p1()).toPoint();
        const QPoint end = to.viewport.toDevice(guide.p2()).toPoint();
        to.painter.fillRect(
            QRect(from, end).normalized().adjusted(0, 0, to.fixed(1) - 1, to.fixed(1) - 1), ink);
    }
    if (to.state.drag) {
        paintDrag(to, *to.state.drag);
    }
    if (to.state.tag) {
        paintTag(to, to.state.tag->at, to.state.tag->text, to.state.tag->isRefusal);
    }
}

void CanvasPainter::paintDrag(Frame& to, const CanvasState::Drag& drag) {
    const NodeView* node = to.list.node(drag.layer);
    if (node == nullptr) {
        return;
    }
    const bool isRefused = !drag.refusal.isEmpty();
    for (const PortView& port : node->ports) {
        if (port.name != drag.port || port.isInput == drag.fromOutput) {
            continue;
        }
        QPointF end = drag.to;
        if (const NodeView* target = to.list.node(drag.target)) {
            for (const PortView& met : target->ports) {
                end = met.name == drag.targetPort && met.isInput == drag.fromOutput ? met.at : end;
            }
        }
        QPen pen(isRefused ? to.theme.semantic.error : to.theme.accent.ink, 1);
        if (isRefused) {
            pen.setDashPattern({2, 3});
        }
        to.painter.setRenderHint(QPainter::Antialiasing, true);
        to.painter.setPen(pen);
        to.painter.drawPolyline(toDevice(to.viewport, drag.fromOutput
                                                          ? wireLine(port.at, end, Flow::down)
                                                          : wireLine(end, port.at, Flow::down)));
        to.painter.setRenderHint(QPainter::Antialiasing, false);
    }
    if (isRefused) {
        paintTag(to, drag.to, drag.refusal, true);
    }
}

void CanvasPainter::paintTag(Frame& to, QPointF at, const QString& text, bool isRefusal) {
    const TextRole role = isRefusal ? TextRole::sans : TextRole::mono;
    const double px = tokens().sizes.type.small * to.viewport.ratio;
    const int wide = static_cast<int>(text_.width(text, role, px)) + to.fixed(16);
    const int high = to.fixed(22);
    // Below the pointer, moved so that the whole label is visible.
    QPoint corner = to.viewport.toDevice(at).toPoint() + QPoint(to.fixed(12), to.fixed(14));
    corner.setX(std::max(to.exposed.left(), std::min(corner.x(), to.exposed.right() - wide)));
    corner.setY(std::min(corner.y(), to.exposed.bottom() - high));
    drawBox(to.painter, QRect(corner, QSize(wide, high)), to.fixed(4), to.theme.surface.overlay,
            to.theme.line.strong, to.fixed(1));
    text_.draw(to.painter, corner + QPointF(to.fixed(8), to.fixed(15)), text, role, px,
               isRefusal ? to.theme.semantic.error : to.theme.text.secondary);
}

/// Draws the selection ring around a frame or a comment.
void CanvasPainter::paintItemRing(Frame& to, const QRect& box) {
    const int away = to.fixed(2);
    drawRing(to.painter, box.adjusted(-away, -away, away, away),
             to.px(tokens().sizes.radius.frame) + away / 2.0, to.theme.accent.ink, to.fixed(2));
}

} // namespace weft::ui
