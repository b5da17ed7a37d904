// SPDX-License-Identifier: Apache-2.0
// Draws a node at each zoom level. A state never changes a node's size or moves its text.
#include "canvas/paint/canvas_painter.h"
#include "canvas/paint/node_parts.h"
#include "canvas/paint/paint_frame.h"
#include "theme/quantity.h"
#include "theme/symbols.h"
#include "widgets/shapes.h"

#include <QPainter>
#include <QPainterPath>

namespace weft::ui {

namespace {

constexpr double mutedOpacity = 0.38;
constexpr double draggedOpacity = 0.8;
constexpr double awayOpacity = 0.4;

QPointF within(const Viewport& viewport, const QRect& box, double x, double y) {
    return {box.left() + x * viewport.scale(), box.top() + y * viewport.scale()};
}

void drawSymbol(QPainter& painter, const QString& name, QPoint at, double size, double scale,
                double ratio, const QColor& colour) {
    const int logical = std::max(1, static_cast<int>(std::lround(size * scale / ratio)));
    painter.drawPixmap(QRect(at, QSize(1, 1) * static_cast<int>(std::lround(logical * ratio))),
                       symbol(name, logical, colour, ratio));
}

const char* markOf(Severity severity) {
    switch (severity) {
    case Severity::error: return "states/error";
    case Severity::warning: return "states/warning";
    case Severity::note: return "states/hint";
    }
    return "";
}

const QColor& colourOf(Severity severity, const Theme& theme) {
    return severity == Severity::error     ? theme.semantic.error
           : severity == Severity::warning ? theme.semantic.warning
                                           : theme.semantic.info;
}

} // namespace

/// Replaces the border by dashes along its straight sides.
void CanvasPainter::drawDashedBorder(Frame& to, const QRect& box) {
    const int corner = to.px(tokens().sizes.radius.node);
    const int on = to.px(4);
    const int off = to.px(3);
    const QColor& fill = to.theme.surface.node;
    for (const int y : {box.top(), box.bottom()}) {
        drawDashes(to.painter, {box.left() + corner + on, y}, {box.right() - corner, y}, fill, off,
                   on);
    }
    for (const int x : {box.left(), box.right()}) {
        drawDashes(to.painter, {x, box.top() + corner + on}, {x, box.bottom() - corner}, fill, off,
                   on);
    }
}

void CanvasPainter::paintNode(Frame& to, const NodeView& node) {
    const QRect box = to.viewport.toDevice(node.box);
    if (!box.adjusted(-20, -20, 20, 20).intersects(to.exposed)) {
        return;
    }
    if (node.isMuted) {
        to.painter.setOpacity(mutedOpacity);
    } else if (to.state.isDragging && to.state.selected.contains(node.id)) {
        to.painter.setOpacity(draggedOpacity);
    } else if (node.isAway) {
        to.painter.setOpacity(awayOpacity);
    }
    if (to.isFar()) {
        paintFar(to, node, box);
    } else {
        paintBody(to, node, box);
        if (to.isMiddle()) {
            paintMiddle(to, node, box);
        } else {
            paintNear(to, node, box);
            paintPorts(to, node);
            paintProof(to, node, box);
        }
        if (node.isPinned) {
            // Drawn on the corner, where it overlaps no text.
            drawSymbol(to.painter, QStringLiteral("actions/pin"),
                       box.topRight() + QPoint(-to.px(7), -to.px(5)), 12, to.viewport.scale(),
                       to.viewport.ratio, to.theme.text.secondary);
        }
    }
    to.painter.setOpacity(1);
    paintRings(to, node, box);
}

void CanvasPainter::paintFar(Frame& to, const NodeView& node, const QRect& box) {
    const bool hasValue = node.y.kind != ValueDrawing::Kind::none;
    to.painter.fillRect(box, hasValue ? to.theme.surface.canvas : to.theme.surface.node);
    if (hasValue) {
        drawValue(to.painter, box, node.y, to.theme, to.viewport.scale());
    }
}

/// Draws the box: stacked for a repeat, with sheets for a batch of networks, dashed for a bypass,
/// doubled for a group.
void CanvasPainter::paintBody(Frame& to, const NodeView& node, const QRect& box) {
    const int radius = to.px(tokens().sizes.radius.node);
    if (node.repeat > 1) {
        for (int copy = 3; copy > 0; --copy) {
            drawBox(
                to.painter,
                box.adjusted(to.px(3 * copy), to.px(4 * copy), -to.px(3 * copy), to.px(4 * copy)),
                radius, to.theme.surface.node, to.theme.line.normal, to.fixed(1));
        }
    }
    if (!node.isCompact) {
        for (int sheet = static_cast<int>(node.sheets.size()); sheet > 0; --sheet) {
            const int away = to.px(tokens().sizes.size.sheetStep * sheet);
            const int hue = node.sheets[static_cast<std::size_t>(sheet) - 1];
            drawBox(to.painter, box.translated(away, -away), radius, to.theme.surface.node,
                    hue < 0 ? to.theme.line.normal : to.theme.ofDevice(hue), to.fixed(1));
        }
    }
    const bool isHovered = to.state.hovered == node.id;
    drawBox(to.painter, box, radius, to.theme.surface.node,
            isHovered ? to.theme.text.tertiary : to.theme.line.normal, to.fixed(1));
    if (node.isBypassed) {
        drawDashedBorder(to, box);
    }
    if (node.isGroup) {
        const int inner = to.px(3);
        drawBox(to.painter, box.adjusted(inner, inner, -inner, -inner), radius - inner / 2,
                to.theme.surface.node, to.theme.line.normal, to.fixed(1));
    }
}

void CanvasPainter::paintRings(Frame& to, const NodeView& node, const QRect& box) {
    if (to.state.selected.contains(node.id)) {
        const int away = to.fixed(3);
        drawRing(to.painter, box.adjusted(-away, -away, away, away),
                 to.isFar() ? 2 : to.px(tokens().sizes.radius.node) + away / 2.0,
                 to.theme.accent.ink, to.fixed(2));
    }
    if (to.state.focused == node.id) {
        const int away = to.fixed(4);
        drawRing(to.painter, box.adjusted(-away, -away, away, away),
                 to.px(tokens().sizes.radius.node) + away / 2.0, to.theme.accent.focus, to.fixed(2),
                 true);
    }
}

void CanvasPainter::paintMiddle(Frame& to, const NodeView& node, const QRect& box) {
    const double px = tokens().sizes.type.small * to.viewport.ratio;
    const int rim = to.px(6);
    const bool hasRoom = hasRoomForText(node, to.viewport);
    const bool hasTime = to.state.isRun && to.state.measured.contains(node.id);
    const int room =
        box.width() - 2 * rim - (hasTime ? qRound(timeTextWidth(to.viewport)) + rim : 0);
    const int title = hasRoom && !node.isCompact ? static_cast<int>(px * 1.5) : 0;
    if (hasRoom) {
        text_.draw(to.painter,
                   QPointF(box.left() + rim,
                           node.isCompact ? box.center().y() + px * 0.36 : box.top() + px * 1.25),
                   text_.elidedInMiddle(node.name, TextRole::sansSemibold, px, room),
                   TextRole::sansSemibold, px, to.theme.text.primary);
    }
    const QRect inside = box.adjusted(rim, rim + title, -rim, -rim);
    if (!node.isCompact && inside.height() > 3 && node.y.kind != ValueDrawing::Kind::none) {
        drawValue(to.painter, inside, node.y, to.theme, to.viewport.scale());
    }
}

void CanvasPainter::paintNear(Frame& to, const NodeView& node, const QRect& box) {
    const Sizes& sizes = tokens().sizes;
    const double scale = to.viewport.scale();
    if (!node.hasError()) {
        // Clipped to the rounded corners of the body.
        const int corner = to.px(2);
        const int ruler = to.px(node.isCompact ? sizes.size.rulerCompact : sizes.size.ruler);
        drawRuler(to.painter,
                  QRect(box.left() + 1, box.top() + corner, ruler, box.height() - 2 * corner),
                  node.y, to.theme, true, scale);
        drawRuler(to.painter,
                  QRect(box.left() + corner, box.bottom() - ruler, box.width() - 2 * corner, ruler),
                  node.y, to.theme, false, scale);
    }
    paintHeader(to, node, box);
    if (node.isMuted) {
        to.painter.fillRect(QRect(box.left() + to.px(12),
                                  within(to.viewport, box, 0, 14).toPoint().y(),
                                  box.width() - to.px(24), to.fixed(1)),
                            to.theme.text.primary);
    }
    if (node.isBypassed) {
        const int middle = box.center().x();
        drawDashes(to.painter, {middle, box.top()}, {middle, box.bottom()}, to.theme.line.wire,
                   to.px(4), to.px(3));
    }
    if (node.isCompact) {
        return;
    }
    if (node.hasError()) {
        paintProblem(to, node, box);
    } else {
        paintValues(to, node, box);
        paintBars(to, node, box);
    }
}

/// Draws icon and name from the left, marks and assignment from the right.
void CanvasPainter::paintHeader(Frame& to, const NodeView& node, const QRect& box) {
    const Sizes& sizes = tokens().sizes;
    const double scale = to.viewport.scale();
    const auto at = [&](double x, double y) { return within(to.viewport, box, x, y); };
    drawSymbol(to.painter, node.icon, at(16, node.isCompact ? 6 : 7).toPoint(), sizes.size.icon,
               scale, to.viewport.ratio, to.theme.ofCategory(node.category));

    double edge = at(textEdge, 0).x();
    const double header = node.isCompact ? 18.5 : 19.5;
    if (!node.marks.empty()) {
        const Severity severity = node.marks.front().severity();
        edge -= sizes.size.icon * scale;
        drawSymbol(to.painter, QLatin1String(markOf(severity)),
                   QPoint(static_cast<int>(edge), at(0, node.isCompact ? 6 : 7).toPoint().y()),
                   sizes.size.icon, scale, to.viewport.ratio, colourOf(severity, to.theme));
        edge -= 6 * scale;
    }
    const double small = sizes.type.small * scale;
    const bool isTimeHere = node.isCompact && to.state.isRun && to.state.measured.contains(node.id);
    const QString said = isTimeHere ? QString() : node.isCompact ? node.shape : node.assignment;
    edge -= isTimeHere ? timeTextWidth(to.viewport) : 0;
    const TextRole role = node.isCompact ? TextRole::mono : TextRole::sansMedium;
    text_.draw(to.painter, {edge, at(0, header).y()}, said, role, small,
               node.isCompact ? to.theme.text.primary : to.theme.text.secondary, TextAlign::right);
    edge -= text_.width(said, role, small) + (said.isEmpty() ? 0 : 4 * scale);
    if (!node.isCompact && !node.glyph.isEmpty()) {
        edge -= 14 * scale;
        drawSymbol(to.painter, node.glyph, QPoint(static_cast<int>(edge), at(0, 8).toPoint().y()),
                   14, scale, to.viewport.ratio, to.theme.text.secondary);
        edge -= 4 * scale;
    }
    const double label = sizes.type.label * scale;
    QString name = node.name;
    if (node.repeat > 1) {
        name += QStringLiteral("  × %1").arg(node.repeat);
    }
    const double room = edge - at(38, 0).x() - 8 * scale;
    text_.draw(to.painter, at(38, header),
               text_.elidedInMiddle(name, TextRole::sansSemibold, label, room),
               TextRole::sansSemibold, label, to.theme.text.primary);
}

/// Draws x · W → y, with text beside it.
void CanvasPainter::paintValues(Frame& to, const NodeView& node, const QRect& box) {
    const Sizes& sizes = tokens().sizes;
    const double scale = to.viewport.scale();
    const double small = sizes.type.small * scale;
    const double label = sizes.type.label * scale;
    const double right = within(to.viewport, box, textEdge, 0).x();
    const auto at = [&](double x, double y) { return within(to.viewport, box, x, y); };
    const bool hasWeight = node.weight.kind != ValueDrawing::Kind::none;
    if (node.x.kind != ValueDrawing::Kind::none) {
        const int top = at(0, 31).toPoint().y();
        const auto part = [&](double x, double wide) {
            return QRect(at(x, 0).toPoint().x(), top, to.px(wide), to.px(sizes.size.drawing));
        };
        drawValue(to.painter, part(17, 29), node.x, to.theme, scale);
        double next = 51;
        if (hasWeight) {
            text_.draw(to.painter, at(50, 49), QStringLiteral("·"), TextRole::sansSemibold, label,
                       to.theme.text.tertiary, TextAlign::centre);
            drawValue(to.painter, part(54, 24), node.weight, to.theme, scale);
            next = 83;
        }
        text_.draw(to.painter, at(next + 4.5, 49.5), QStringLiteral("→"), TextRole::mono, label,
                   to.theme.text.tertiary, TextAlign::centre);
        drawValue(to.painter, part(next + 12, 29), node.y, to.theme, scale);
    }
    text_.draw(to.painter, {right, at(0, 42).y()}, node.shape, TextRole::mono, small,
               to.theme.text.primary, TextAlign::right);
    // The drawing ends at 124; long parameters are shortened to keep clear of the drawing and the
    // glyph.
    constexpr double glyphRoom = 23;
    const double roomForWords = (textEdge - 132 - (node.isReduced ? glyphRoom : 0)) * scale;
    const QString parameters =
        text_.elidedInMiddle(node.parameters, TextRole::mono, small, roomForWords);
    text_.draw(to.painter, {right, at(0, 58).y()}, parameters, TextRole::mono, small,
               to.theme.text.tertiary, TextAlign::right);
    if (node.isReduced) {
        const double wide = text_.width(parameters, TextRole::mono, small);
        drawSymbol(to.painter, QStringLiteral("glyphs/all-reduce"),
                   QPoint(static_cast<int>(right - wide - 19 * scale), at(0, 48).toPoint().y()), 13,
                   scale, to.viewport.ratio, to.theme.text.tertiary);
    }
}

/// Drawn below the right corner, where nothing else is.
void CanvasPainter::paintProof(Frame& to, const NodeView& node, const QRect& box) {
    if (node.difference < 0) {
        return;
    }
    const double scale = to.viewport.scale();
    const double px = tokens().sizes.type.small * scale;
    const QString said = QStringLiteral("Δ ") + QString::number(node.difference, 'g', 2);
    const QColor& colour = node.isProved ? to.theme.semantic.ok : to.theme.semantic.error;
    const double right = within(to.viewport, box, textEdge, 0).x();
    const double base = box.bottom() + 14 * scale;
    text_.draw(to.painter, {right, base}, said, TextRole::mono, px, colour, TextAlign::right);
    drawSymbol(to.painter,
               node.isProved ? QStringLiteral("states/good") : QStringLiteral("states/error"),
               QPoint(static_cast<int>(right - text_.width(said, TextRole::mono, px) - 17 * scale),
                      static_cast<int>(base - 10 * scale)),
               12, scale, to.viewport.ratio, colour);
}

void CanvasPainter::paintBars(Frame& to, const NodeView& node, const QRect& box) {
    const double longest = std::max(to.list.longest, to.state.longest);
    if (node.predicted <= 0 || longest <= 0) {
        return;
    }
    const double share = node.predicted / longest;
    const QRect bar = timeBarBox(box, share, false, to.viewport);
    const int line = to.fixed(1);
    to.painter.fillRect(bar, to.theme.text.tertiary);
    to.painter.fillRect(bar.adjusted(line, line, -line, -line), to.theme.surface.node);
    if (const auto whisker = whiskerOf(box, node.predictedLow / longest,
                                       node.predictedHigh / longest, to.viewport)) {
        for (const QRect& part : {whisker->line, whisker->low, whisker->high}) {
            to.painter.fillRect(part, to.theme.text.secondary);
        }
    }
    if (to.state.measured.contains(node.id)) {
        return;
    }
    to.painter.fillRect(timeBarBox(box, share, true, to.viewport), to.theme.line.subtle);
    text_.draw(to.painter, timeTextEnd(node, box, to.viewport),
               quantity::predicted(quantity::time(node.predicted)), TextRole::mono,
               tokens().sizes.type.small * to.viewport.scale(),
               node.isOlder ? to.theme.text.tertiary : to.theme.text.secondary, TextAlign::right);
}

void CanvasPainter::paintProblem(Frame& to, const NodeView& node, const QRect& box) {
    const double scale = to.viewport.scale();
    const double px = tokens().sizes.type.small * scale;
    const double room = 206 * scale;
    const ProblemView& mark = node.marks.front();
    // At most two lines; the second is shortened in its middle.
    QString first;
    QStringList words = mark.text.split(' ');
    while (!words.isEmpty() &&
           text_.width(first + ' ' + words.first(), TextRole::sans, px) <= room) {
        first += (first.isEmpty() ? "" : " ") + words.takeFirst();
    }
    const QPointF at(box.left() + 17 * scale, box.top() + 40 * scale);
    text_.draw(to.painter, at, first, TextRole::sans, px, to.theme.semantic.error);
    text_.draw(to.painter, at + QPointF(0, 15 * scale),
               text_.elidedInMiddle(words.join(' '), TextRole::sans, px, room), TextRole::sans, px,
               to.theme.semantic.error);
    if (!mark.fix.isEmpty()) {
        const QPointF fix = at + QPointF(0, 33 * scale);
        const QString text = text_.elidedInMiddle(mark.fix, TextRole::sansSemibold, px, room);
        const QColor ink = mark.canMend ? to.theme.text.primary : to.theme.text.secondary;
        text_.draw(to.painter, fix, text, TextRole::sansSemibold, px, ink);
        if (mark.canMend) {
            const auto wide = static_cast<int>(text_.width(text, TextRole::sansSemibold, px));
            to.painter.fillRect(QRect(static_cast<int>(fix.x()),
                                      static_cast<int>(fix.y()) + to.px(2), wide, to.fixed(1)),
                                ink);
        }
    }
}

void CanvasPainter::paintPorts(Frame& to, const NodeView& node) {
    const Sizes::Size& size = tokens().sizes.size;
    const std::optional<CanvasState::Drag>& drag = to.state.drag;
    for (const PortView& port : node.ports) {
        double diameter = size.port * to.viewport.scale();
        const bool isAsked = drag && port.isInput == drag->fromOutput && node.id != drag->layer;
        const bool isLegal =
            isAsked &&
            drag->legal.contains(QStringLiteral("%1/%2").arg(node.id.value).arg(port.name));
        if (isLegal) {
            diameter = 12 * to.viewport.scale();
        } else if (drag) {
            to.painter.setOpacity(0.3);
        }
        const bool isMet = drag && drag->target == node.id && drag->targetPort == port.name &&
                           port.isInput == drag->fromOutput;
        drawDisc(to.painter, to.viewport.toDevice(port.at), diameter, to.theme.surface.canvas,
                 isMet ? to.theme.accent.ink : to.theme.line.wire, to.fixed(1.5));
        to.painter.setOpacity(1);
    }
}

} // namespace weft::ui
