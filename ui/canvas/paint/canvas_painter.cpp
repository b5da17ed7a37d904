// SPDX-License-Identifier: Apache-2.0
#include "canvas/paint/canvas_painter.h"

#include "canvas/paint/paint_frame.h"
#include "widgets/shapes.h"

#include <QPainter>

namespace weft::ui {

int Viewport::px(double units) const {
    return std::max(1, static_cast<int>(std::lround(units * scale())));
}

int Viewport::fixed(double logical) const {
    return std::max(1, static_cast<int>(std::lround(logical * ratio)));
}

QRect Viewport::pixelsOf(const QRect& logical) const {
    return {static_cast<int>(std::floor(logical.left() * ratio)),
            static_cast<int>(std::floor(logical.top() * ratio)),
            static_cast<int>(std::ceil(logical.width() * ratio)) + 1,
            static_cast<int>(std::ceil(logical.height() * ratio)) + 1};
}

QRect Viewport::logicalOf(const QRect& pixels) const {
    return {(QPointF(pixels.topLeft()) / ratio).toPoint(), pixels.size() / ratio};
}

QRect Viewport::toDevice(const QRectF& box) const {
    const QPointF from = toDevice(box.topLeft());
    const QPointF to = toDevice(box.bottomRight());
    const QPoint begin(static_cast<int>(std::floor(from.x())),
                       static_cast<int>(std::floor(from.y())));
    return {begin, QSize(static_cast<int>(std::floor(to.x())) - begin.x(),
                         static_cast<int>(std::floor(to.y())) - begin.y())};
}

void CanvasPainter::paint(QPainter& painter, const DisplayList& list, const Viewport& viewport,
                          const CanvasState& state, const Theme& theme, const QRect& exposed) {
    Frame to{painter, list, viewport, state, theme, exposed};
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(exposed, theme.surface.canvas);
    paintGrid(to);
    const double scale = viewport.scale();
    const QRectF area(viewport.origin + QPointF(exposed.topLeft()) / scale,
                      QSizeF(exposed.size()) / scale);
    paintFrames(to);
    const std::vector<int> wires = list.wiresIn(area.adjusted(-40, -40, 40, 40));
    for (const int number : wires) {
        paintWire(to, list.wires[static_cast<std::size_t>(number)]);
    }
    for (const int number : wires) {
        const WireView& wire = list.wires[static_cast<std::size_t>(number)];
        if (wire.badge >= 0) {
            paintBadge(to, list.badges[static_cast<std::size_t>(wire.badge)]);
        }
    }
    for (const SyncView& sync : list.syncs) {
        paintSync(to, sync);
    }
    for (const int number : list.nodesIn(area)) {
        paintNode(to, list.nodes[static_cast<std::size_t>(number)]);
    }
    paintInteraction(to);
}

void CanvasPainter::paintGrid(Frame& to) {
    if (to.isFar()) {
        return;
    }
    constexpr double near = 24;
    const double pitch = to.isMiddle() ? 4 * near : near;
    const double step = pitch * to.viewport.scale();
    const int dot = to.fixed(1.5);
    // Starts at the first dot of the exposed area, since an exposed strip holds only a few dots.
    const QPointF corner = to.viewport.origin + QPointF(to.exposed.topLeft()) / to.viewport.scale();
    const double left = std::floor(corner.x() / pitch) * pitch;
    const double top = std::floor(corner.y() / pitch) * pitch;
    const QPointF first = to.viewport.toDevice(QPointF(left, top));
    constexpr double same = 0.01; // absorbs rounding errors of different exposed areas
    for (double y = first.y(); y < to.exposed.bottom() + step; y += step) {
        for (double x = first.x(); x < to.exposed.right() + step; x += step) {
            to.painter.fillRect(static_cast<int>(std::floor(x + same)),
                                static_cast<int>(std::floor(y + same)), dot, dot,
                                to.theme.line.grid);
        }
    }
}

void CanvasPainter::paintFrames(Frame& to) {
    const Sizes& sizes = tokens().sizes;
    for (const FrameView& frame : to.list.frames) {
        const QRect box = to.viewport.toDevice(frame.box);
        if (!box.intersects(to.exposed)) {
            continue;
        }
        QColor fill = to.theme.surface.dock;
        fill.setAlphaF(0.55F);
        drawBox(to.painter, box, to.px(sizes.radius.frame), fill, to.theme.line.normal,
                to.fixed(1));
        if (to.state.item == ItemRef{ItemRef::Kind::frame, frame.index}) {
            paintItemRing(to, box);
        }
        constexpr double leastForTitle = 110;
        if (box.width() < to.fixed(leastForTitle)) {
            continue;
        }
        const bool isNear = to.viewport.zoom >= sizes.zoom.text;
        const double px =
            isNear ? sizes.type.body * to.viewport.scale() : sizes.type.small * to.viewport.ratio;
        const QPointF title = box.topLeft() + (isNear ? QPointF(to.px(12), to.px(20))
                                                      : QPointF(to.fixed(6), to.fixed(14)));
        // A badge may overlap the title; the title is shortened so that it ends before the badge.
        double room = box.width() - 2 * to.fixed(8);
        for (const BadgeView& badge : to.list.badges) {
            if (frame.header().contains(badge.at)) {
                const double left = to.viewport.toDevice(badge.at).x() -
                                    sizes.size.badge / 2.0 * to.viewport.scale() - to.fixed(8);
                room = std::min(room, left - title.x());
            }
        }
        text_.draw(to.painter, title,
                   text_.elidedInMiddle(frame.title, TextRole::sansSemibold, px, room),
                   TextRole::sansSemibold, px, to.theme.text.secondary);
    }
    for (const CommentView& comment : to.list.comments) {
        if (to.isFar()) {
            break;
        }
        if (to.state.item == ItemRef{ItemRef::Kind::comment, comment.index}) {
            paintItemRing(to, to.viewport.toDevice(comment.box()));
        }
        QPointF line = to.viewport.toDevice(comment.at) + QPointF(0, to.px(12));
        const double px = std::max(sizes.type.body * to.viewport.scale(),
                                   static_cast<double>(sizes.type.small) * to.viewport.ratio);
        for (const QString& text : comment.text.split('\n')) {
            text_.draw(to.painter, line, text, TextRole::sans, px, to.theme.text.secondary);
            line.ry() += px * sizes.type.lineHeight;
        }
    }
}

} // namespace weft::ui
