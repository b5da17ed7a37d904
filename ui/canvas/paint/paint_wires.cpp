// SPDX-License-Identifier: Apache-2.0
// Draws wires and badges. Only lines of one device pixel are fast, so thicker lines consist of
// several adjacent ones.
#include "canvas/paint/canvas_painter.h"
#include "canvas/paint/paint_frame.h"
#include "canvas/scene/wire_shape.h"
#include "theme/quantity.h"
#include "theme/symbols.h"
#include "widgets/shapes.h"

#include <QCoreApplication>
#include <QPainter>

namespace weft::ui {

namespace {

/// Draws parallel strands along a part of a wire: one per device that holds a part of the value,
/// dashed for partial sums; three grey ones for a value that is not divided.
void drawThreads(QPainter& painter, QPointF from, QPointF to, const ValueDrawing& value,
                 const Theme& theme, double scale) {
    const bool isDown = std::abs(to.y() - from.y()) >= std::abs(to.x() - from.x());
    const int pitch =
        std::max(2, static_cast<int>(std::lround(tokens().sizes.size.threadPitch * scale)));
    const int wide =
        std::max(1, static_cast<int>(std::lround(tokens().sizes.size.threadWidth * scale)));
    const bool isRope =
        value.kind == ValueDrawing::Kind::replicated || value.kind == ValueDrawing::Kind::none;
    const int count = isRope ? 3 : std::min(12, static_cast<int>(value.hues.size()));
    for (int k = 0; k < count; ++k) {
        const int aside = isRope ? (k - 1) * std::max(2, pitch / 2)
                                 : static_cast<int>(std::lround((k - (count - 1) / 2.0) * pitch));
        const QColor colour =
            isRope ? theme.line.strong : theme.ofDevice(value.hues[static_cast<std::size_t>(k)]);
        const int thick = isRope ? std::max(1, wide / 2) : wide;
        const QRect strand = isDown ? QRect(static_cast<int>(from.x()) + aside - thick / 2,
                                            static_cast<int>(std::min(from.y(), to.y())), thick,
                                            static_cast<int>(std::abs(to.y() - from.y())))
                                    : QRect(static_cast<int>(std::min(from.x(), to.x())),
                                            static_cast<int>(from.y()) + aside - thick / 2,
                                            static_cast<int>(std::abs(to.x() - from.x())), thick);
        if (value.kind != ValueDrawing::Kind::partial) {
            painter.fillRect(strand, colour);
            continue;
        }
        for (int x = 0; x < thick; ++x) {
            const QPoint begin = strand.topLeft() + (isDown ? QPoint(x, 0) : QPoint(0, x));
            const QPoint end =
                begin + (isDown ? QPoint(0, strand.height()) : QPoint(strand.width(), 0));
            drawDashes(painter, begin, end, colour, wide, wide);
        }
    }
}

} // namespace

/// Draws the reroute points of a wire; a selected point has a ring.
void CanvasPainter::paintReroutes(Frame& to, const WireView& wire, const QColor& colour) {
    constexpr double dot = 6;
    if (to.isFar()) {
        return;
    }
    for (std::size_t i = 0; i < wire.via.size(); ++i) {
        const QPointF centre = to.viewport.toDevice(wire.via[i]);
        if (to.state.item == ItemRef{ItemRef::Kind::reroute, i, wire.wire.to}) {
            drawDisc(to.painter, centre, to.px(2 * dot), to.theme.surface.canvas,
                     to.theme.accent.ink, to.fixed(2));
        }
        drawDisc(to.painter, centre, to.px(dot), colour, colour, 0);
    }
}

void CanvasPainter::paintWire(Frame& to, const WireView& wire) {
    const bool isSelected = to.state.wire == wire.wire ||
                            to.state.selected.contains(wire.wire.from.layer) ||
                            to.state.selected.contains(wire.wire.to.layer);
    const bool isHovered = to.state.hoveredWire == wire.wire;
    const QColor colour = to.state.wire == wire.wire ? to.theme.accent.ink
                          : isHovered                ? to.theme.text.secondary
                                                     : to.theme.line.wire;
    const bool isNear = to.viewport.zoom >= tokens().sizes.zoom.text;
    const double units = isNear ? wire.thickness * to.viewport.scale() : to.viewport.ratio;
    const QPointF from = to.viewport.toDevice(wire.line.front());
    const QPointF end = to.viewport.toDevice(wire.line.back());
    const NodeView* source = to.list.node(wire.wire.from.layer);
    if (wire.line.size() == 2 && !wire.isOff) {
        if (isSelected && isNear && source != nullptr &&
            source->y.kind == ValueDrawing::Kind::split) {
            drawThreads(to.painter, from, end, source->y, to.theme, to.viewport.scale());
            return;
        }
        const int thick = std::max(1, static_cast<int>(std::lround(units)));
        const int x = static_cast<int>(std::lround(from.x() - thick / 2.0));
        to.painter.fillRect(x, static_cast<int>(from.y()), thick,
                            static_cast<int>(end.y()) - static_cast<int>(from.y()), colour);
        return;
    }
    QPolygonF line;
    const std::size_t step = to.isFar() ? 4 : to.viewport.zoom < 1 ? 2 : 1;
    for (std::size_t i = 0; i < wire.line.size(); i += step) {
        line << to.viewport.toDevice(wire.line[i]);
    }
    line.back() = end;
    if (line.size() < 2) {
        return;
    }
    QPen pen(colour, 1);
    if (wire.isOff) {
        pen.setDashPattern({4, 3});
    }
    to.painter.setPen(pen);
    to.painter.setRenderHint(QPainter::Antialiasing, !to.isFar());
    drawThick(to.painter, line, units);
    to.painter.setRenderHint(QPainter::Antialiasing, false);
    paintReroutes(to, wire, colour);
}

void CanvasPainter::paintBadge(Frame& to, const BadgeView& badge) {
    const Sizes::Size& size = tokens().sizes.size;
    const QPointF centre = to.viewport.toDevice(badge.at);
    if (to.isFar()) {
        drawDisc(to.painter, centre, to.fixed(size.badgeFar), to.theme.accent.ink,
                 to.theme.accent.ink, 0);
        return;
    }
    if (badge.isFree) {
        drawDisc(to.painter, centre, to.px(size.freeRing), to.theme.surface.canvas,
                 to.theme.line.wire, to.fixed(1.5));
        return;
    }
    const double radius = size.badge / 2.0 * to.viewport.scale();
    const double thread = size.threadLength * to.viewport.scale();
    const QPointF up(0, radius);
    const QPointF far(0, radius + thread);
    // The strands replace the wire's own line.
    const int half = to.px(10);
    to.painter.fillRect(QRect(static_cast<int>(centre.x()) - half,
                              static_cast<int>(centre.y() - far.y()), 2 * half,
                              static_cast<int>(2 * far.y())),
                        to.theme.surface.canvas);
    drawThreads(to.painter, centre - far, centre - up, badge.before, to.theme, to.viewport.scale());
    drawThreads(to.painter, centre + up, centre + far, badge.after, to.theme, to.viewport.scale());
    drawDisc(to.painter, centre, 2 * radius, to.theme.surface.overlay, to.theme.accent.ink,
             to.fixed(1.5));
    const int glyph = std::max(8, static_cast<int>(std::lround(18 * to.viewport.zoom)));
    const QPixmap picture = symbol(badge.glyph, glyph, to.theme.text.primary, to.viewport.ratio);
    to.painter.drawPixmap(QRectF(centre.x() - glyph * to.viewport.ratio / 2,
                                 centre.y() - glyph * to.viewport.ratio / 2,
                                 glyph * to.viewport.ratio, glyph * to.viewport.ratio)
                              .toRect(),
                          picture);
    if (to.isMiddle() || badge.isBare) {
        return;
    }
    const Sizes::Type& type = tokens().sizes.type;
    const double left = centre.x() + to.px(24);
    text_.draw(to.painter, {left, centre.y() - to.px(6)}, badge.kind, TextRole::sansSemibold,
               type.body * to.viewport.scale(), to.theme.text.primary);
    text_.draw(to.painter, {left, centre.y() + to.px(9)}, badge.label, TextRole::mono,
               type.small * to.viewport.scale(),
               badge.isOlder ? to.theme.text.tertiary : to.theme.text.secondary);
    if (badge.often.isEmpty()) {
        paintExposure(to, badge, QPointF(left, centre.y() + to.px(15)).toPoint());
    } else {
        text_.draw(to.painter, {left, centre.y() + to.px(23)}, badge.often, TextRole::sans,
                   type.small * to.viewport.scale(), to.theme.text.tertiary);
    }
}

/// Draws a dashed line to the layer, since a sync belongs to the plan and not to the design.
void CanvasPainter::paintSync(Frame& to, const SyncView& sync) {
    const QRectF all = sync.box() | QRectF(sync.from, QSizeF(1, 1));
    if (!to.viewport.toDevice(all.adjusted(-8, -8, 8, 8)).intersects(to.exposed)) {
        return;
    }
    if (!to.isFar()) {
        const bool isDown = sync.from.x() == sync.badge.at.x();
        const double away =
            tokens().sizes.size.badge / 2.0 + (isDown ? tokens().sizes.size.threadLength : 0);
        drawDashes(
            to.painter, to.viewport.toDevice(sync.from).toPoint(),
            to.viewport.toDevice(sync.badge.at - (isDown ? QPointF(0, away) : QPointF(away, 0)))
                .toPoint(),
            to.theme.line.wire, to.px(4), to.px(3));
        paintDictionary(to, sync);
    }
    paintBadge(to, sync.badge);
}

/// Draws the learned dictionary over the dashed line: the newest atoms of the run, or empty tiles.
void CanvasPainter::paintDictionary(Frame& to, const SyncView& sync) {
    if (sync.tile.isEmpty()) {
        return;
    }
    const QRect box = to.viewport.toDevice(sync.tile);
    const auto atoms = to.state.atoms.find(sync.layer);
    to.painter.fillRect(box, to.theme.surface.raised);
    if (atoms != to.state.atoms.end() && !atoms->second.isNull()) {
        const QSize size = atoms->second.size().scaled(box.size(), Qt::KeepAspectRatio);
        QRect place({}, size);
        place.moveCenter(box.center());
        to.painter.setRenderHint(QPainter::SmoothPixmapTransform);
        to.painter.drawImage(place, atoms->second);
    } else {
        constexpr int across = 4;
        const int tile = box.width() / across;
        const int gap = to.fixed(1);
        for (int k = 0; k < across * across; ++k) {
            const QPoint corner = box.topLeft() + QPoint(k % across, k / across) * tile;
            to.painter.fillRect(QRect(corner, QSize(tile, tile)).adjusted(gap, gap, -gap, -gap),
                                to.theme.line.normal);
        }
    }
    to.painter.setPen(QPen(to.theme.line.strong, to.fixed(1)));
    to.painter.setBrush(Qt::NoBrush);
    to.painter.drawRect(box.adjusted(0, 0, -1, -1));
    if (to.isMiddle()) {
        return;
    }
    const Sizes::Type& type = tokens().sizes.type;
    const QPointF words(box.right() + to.px(8), box.center().y());
    text_.draw(to.painter, words - QPointF(0, to.px(3)),
               QCoreApplication::translate("canvas", "dictionary"), TextRole::sansSemibold,
               type.body * to.viewport.scale(), to.theme.text.primary);
    text_.draw(to.painter, words + QPointF(0, to.px(12)), sync.form, TextRole::mono,
               type.small * to.viewport.scale(), to.theme.text.secondary);
}

/// Draws the exposed share of a collective's time in ink, with its value.
void CanvasPainter::paintExposure(Frame& to, const BadgeView& badge, QPoint place) {
    const auto found = to.state.exposures.find(badge.name);
    if (found == to.state.exposures.end() || badge.kind.toStdString() != found->second.kind) {
        return;
    }
    const CanvasState::Exposure& known = found->second;
    const Sizes& sizes = tokens().sizes;
    const QRect bar(place, QSize(to.px(74), to.px(sizes.size.exposedBar)));
    const int line = to.fixed(1);
    to.painter.fillRect(bar, to.theme.line.strong);
    to.painter.fillRect(bar.adjusted(line, line, -line, -line), to.theme.surface.canvas);
    to.painter.fillRect(bar.left(), bar.top(),
                        static_cast<int>(std::lround(bar.width() * known.share)), bar.height(),
                        to.theme.accent.ink);
    constexpr double all = 0.995;
    QString words = QCoreApplication::translate("canvas", "hidden");
    if (known.share > all) {
        words = QCoreApplication::translate("canvas", "exposed");
    } else if (known.share > 1 - all) {
        const QString time = quantity::time(known.seconds);
        words = known.isMeasured ? time : quantity::predicted(time);
    }
    text_.draw(to.painter, bar.topRight() + QPointF(to.px(6), bar.height()), words, TextRole::mono,
               sizes.type.small * to.viewport.scale(), to.theme.text.secondary);
}

} // namespace weft::ui
