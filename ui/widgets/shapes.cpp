// SPDX-License-Identifier: Apache-2.0
#include "widgets/shapes.h"

#include <QHash>
#include <QPainter>
#include <QPixmap>
#include <algorithm>
#include <cmath>

namespace weft::ui {

namespace {

/// Cache key: two colours, and two sizes in eighths of a pixel.
using Key = std::pair<quint64, quint64>;

Key keyOf(const QColor& fill, const QColor& border, double size, double line) {
    constexpr double eighths = 8;
    const auto packed = [](quint64 high, quint64 low) { return (high << 32U) | low; };
    return {packed(fill.rgba(), border.rgba()),
            packed(static_cast<quint64>(std::lround(size * eighths)),
                   static_cast<quint64>(std::lround(line * eighths)))};
}

/// Returns the four corners of a rounded box in one pixmap whose side is twice the radius.
const QPixmap& corners(int radius, const QColor& fill, const QColor& border, int line) {
    thread_local QHash<Key, QPixmap> kept; // thumbnails are painted on other threads
    const Key key = keyOf(fill, border, radius, line);
    auto found = kept.find(key);
    if (found == kept.end()) {
        constexpr qsizetype most = 500;
        if (kept.size() > most) {
            kept.clear();
        }
        QPixmap pixmap(2 * radius, 2 * radius);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        const double half = line / 2.0;
        painter.setPen(line > 0 ? QPen(border, line) : QPen(Qt::NoPen));
        painter.setBrush(fill);
        painter.drawRoundedRect(QRectF(pixmap.rect()).adjusted(half, half, -half, -half),
                                radius - half, radius - half);
        found = kept.insert(key, pixmap);
    }
    return *found;
}

void drawRoundBox(QPainter& painter, const QRect& box, int r, const QColor& fill,
                  const QColor& border, int line) {
    painter.fillRect(box.adjusted(r, 0, -r, 0), fill);
    painter.fillRect(QRect(box.left(), box.top() + r, r, box.height() - 2 * r), fill);
    painter.fillRect(QRect(box.right() - r + 1, box.top() + r, r, box.height() - 2 * r), fill);
    if (line > 0) {
        const int wide = box.width() - 2 * r;
        const int high = box.height() - 2 * r;
        painter.fillRect(box.left() + r, box.top(), wide, line, border);
        painter.fillRect(box.left() + r, box.bottom() - line + 1, wide, line, border);
        painter.fillRect(box.left(), box.top() + r, line, high, border);
        painter.fillRect(box.right() - line + 1, box.top() + r, line, high, border);
    }
    const QPixmap& four = corners(r, fill, border, line);
    painter.drawPixmap(box.topLeft(), four, QRect(0, 0, r, r));
    painter.drawPixmap(QPoint(box.right() - r + 1, box.top()), four, QRect(r, 0, r, r));
    painter.drawPixmap(QPoint(box.left(), box.bottom() - r + 1), four, QRect(0, r, r, r));
    painter.drawPixmap(QPoint(box.right() - r + 1, box.bottom() - r + 1), four, QRect(r, r, r, r));
}

/// Returns the whole box as a pixmap.
const QPixmap& smallBox(QSize size, int radius, const QColor& fill, const QColor& border,
                        int line) {
    using BoxKey = std::pair<QSize, Key>;
    thread_local QHash<BoxKey, QPixmap> kept;
    const BoxKey key{size, keyOf(fill, border, radius, line)};
    auto found = kept.find(key);
    if (found == kept.end()) {
        constexpr qsizetype most = 200;
        if (kept.size() > most) {
            kept.clear();
        }
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        drawRoundBox(painter, pixmap.rect(), radius, fill, border, line);
        found = kept.insert(key, pixmap);
    }
    return *found;
}

int atLeastOne(double size) { return std::max(1, static_cast<int>(std::lround(size))); }

void drawReplicated(QPainter& painter, const QRect& box, const ValueDrawing& value,
                    const Theme& theme, double scale) {
    painter.fillRect(box, theme.line.strong);
    const int line = atLeastOne(scale);
    painter.fillRect(box.adjusted(line, line, -line, -line), theme.surface.raised);
    // Draws device squares in an almost square grid.
    const int count = static_cast<int>(value.hues.size());
    const int columns = static_cast<int>(std::ceil(std::sqrt(count)));
    const int rows = (count + columns - 1) / columns;
    const int dot = std::max(1, std::min({atLeastOne(5 * scale), box.width() / (2 * columns),
                                          box.height() / (2 * rows)}));
    const int step = dot + std::max(1, dot / 2);
    const QPoint first(box.center().x() - (columns * step - (step - dot)) / 2 + 1,
                       box.center().y() - (rows * step - (step - dot)) / 2 + 1);
    for (int i = 0; i < count; ++i) {
        painter.fillRect(
            QRect(first + QPoint(i % columns * step, i / columns * step), QSize(dot, dot)),
            theme.ofDevice(value.hues[static_cast<std::size_t>(i)]));
    }
}

void drawSplit(QPainter& painter, const QRect& box, const ValueDrawing& value, const Theme& theme,
               double scale) {
    const bool isTiles = value.join == ValueDrawing::Join::tiles;
    const int gap = atLeastOne(
        (isTiles ? tokens().sizes.size.tileGap : tokens().sizes.size.drawingGap) * scale);
    const auto rows = pixelsOf(value.rows, box.top(), box.height(), gap);
    const auto columns = pixelsOf(value.columns, box.left(), box.width(), gap);
    for (const PixelPart& row : rows) {
        for (const PixelPart& column : columns) {
            const std::size_t part = static_cast<std::size_t>(row.part) * value.columns.size() +
                                     static_cast<std::size_t>(column.part);
            painter.fillRect(column.begin, row.begin, column.length, row.length,
                             theme.ofDevice(value.hues[std::min(part, value.hues.size() - 1)]));
        }
        if (isTiles && value.cutsRows() && row.begin > box.top() && gap >= 3) {
            drawDashes(painter, {box.left(), row.begin - gap / 2 - 1},
                       {box.right(), row.begin - gap / 2 - 1}, theme.text.secondary, gap / 3 * 2,
                       gap / 3 * 2);
        }
    }
}

void drawPartial(QPainter& painter, const QRect& box, const ValueDrawing& value, const Theme& theme,
                 double scale) {
    const int count = static_cast<int>(value.hues.size());
    const int line = atLeastOne(1.5 * scale);
    if (box.height() < 14 * scale) {
        const auto bands = pixelsOf(
            [&] {
                std::vector<Part> parts;
                parts.reserve(value.hues.size());
                for (int i = 0; i < count; ++i) {
                    parts.push_back({i / static_cast<double>(count), (i + 1.0) / count});
                }
                return parts;
            }(),
            box.top(), box.height(), 1);
        for (const PixelPart& band : bands) {
            drawDashes(painter, {box.left(), band.begin}, {box.right(), band.begin},
                       theme.ofDevice(value.hues[static_cast<std::size_t>(band.part)]), 2 * line,
                       line);
        }
        return;
    }
    const int shown = std::min(count, 4);
    const int step = std::max(1, static_cast<int>(std::lround(3 * scale)));
    const QSize size(box.width() - (shown - 1) * step, box.height() - (shown - 1) * step);
    for (int i = shown - 1; i >= 0; --i) {
        const QRect sheet(box.topLeft() + QPoint(i * step, (shown - 1 - i) * step), size);
        painter.fillRect(sheet, theme.ofDevice(value.hues[static_cast<std::size_t>(i)]));
        painter.fillRect(sheet.adjusted(line, line, -line, -line), theme.surface.node);
    }
    const QRect front(box.topLeft() + QPoint(0, (shown - 1) * step), size);
    const int arm = std::max(2, std::min(front.width(), front.height()) / 4);
    painter.fillRect(front.center().x() - arm, front.center().y(), 2 * arm + 1, line,
                     theme.text.primary);
    painter.fillRect(front.center().x(), front.center().y() - arm, line, 2 * arm + 1,
                     theme.text.primary);
}

} // namespace

void drawBox(QPainter& painter, const QRect& box, int radius, const QColor& fill,
             const QColor& border, int line) {
    const int r = std::min({radius, box.width() / 2, box.height() / 2});
    if (r < 2) {
        painter.fillRect(box, border);
        painter.fillRect(box.adjusted(line, line, -line, -line), fill);
        return;
    }
    // A small box is copied as one pixmap, which is faster than drawing eleven parts.
    constexpr int small = 8192;
    if (box.width() * box.height() > small) {
        drawRoundBox(painter, box, r, fill, border, line);
    } else {
        painter.drawPixmap(box.topLeft(), smallBox(box.size(), r, fill, border, line));
    }
}

void drawRing(QPainter& painter, const QRect& box, double radius, const QColor& colour, int line,
              bool isDotted) {
    painter.setRenderHint(QPainter::Antialiasing, true);
    QPen pen(colour, line);
    if (isDotted) {
        pen.setDashPattern({1, 1.5});
    }
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    const double half = line / 2.0;
    painter.drawRoundedRect(QRectF(box).adjusted(half, half, -half, -half), radius, radius);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void drawDisc(QPainter& painter, QPointF centre, double diameter, const QColor& fill,
              const QColor& border, double line) {
    thread_local QHash<Key, QPixmap> kept; // thumbnails are painted on other threads
    const int side = static_cast<int>(std::ceil(diameter)) + 2;
    const Key key = keyOf(fill, border, diameter, line);
    auto found = kept.find(key);
    if (found == kept.end()) {
        constexpr qsizetype most = 500;
        if (kept.size() > most) {
            kept.clear();
        }
        QPixmap pixmap(side, side);
        pixmap.fill(Qt::transparent);
        QPainter disc(&pixmap);
        disc.setRenderHint(QPainter::Antialiasing);
        disc.setPen(line > 0 ? QPen(border, line) : QPen(Qt::NoPen));
        disc.setBrush(fill);
        const double r = (diameter - line) / 2;
        disc.drawEllipse(QPointF(side / 2.0, side / 2.0), r, r);
        found = kept.insert(key, pixmap);
    }
    painter.drawPixmap(QPoint(static_cast<int>(std::lround(centre.x() - side / 2.0)),
                              static_cast<int>(std::lround(centre.y() - side / 2.0))),
                       *found);
}

void drawThick(QPainter& painter, const QPolygonF& line, double width) {
    constexpr double pitch = 0.6;
    const int count = width <= 1.2 ? 1 : static_cast<int>(std::lround((width - 1) / pitch)) + 1;
    for (int k = 0; k < count; ++k) {
        const double aside = (k - (count - 1) / 2.0) * pitch;
        QPolygonF moved;
        moved.reserve(line.size());
        for (qsizetype i = 0; i < line.size(); ++i) {
            const QPointF way =
                line[std::min(i + 1, line.size() - 1)] - line[std::max<qsizetype>(i - 1, 0)];
            const double length = std::hypot(way.x(), way.y());
            const QPointF normal = length > 0 ? QPointF(-way.y(), way.x()) / length : QPointF(1, 0);
            moved << line[i] + normal * aside;
        }
        painter.drawPolyline(moved);
    }
}

void drawDashes(QPainter& painter, QPoint from, QPoint to, const QColor& colour, int on, int off) {
    const bool isFlat = from.y() == to.y();
    on = std::max(1, on);
    const int step = on + std::max(1, off);
    const int begin = isFlat ? from.x() : from.y();
    const int end = isFlat ? to.x() : to.y();
    for (int at = begin; at <= end; at += step) {
        const int length = std::min(on, end - at + 1);
        painter.fillRect(isFlat ? QRect(at, from.y(), length, 1) : QRect(from.x(), at, 1, length),
                         colour);
    }
}

void drawValue(QPainter& painter, const QRect& box, const ValueDrawing& value, const Theme& theme,
               double scale) {
    switch (value.kind) {
    case ValueDrawing::Kind::none: painter.fillRect(box, theme.surface.raised); break;
    case ValueDrawing::Kind::single:
        painter.fillRect(box, theme.ofDevice(value.hues.front()));
        break;
    case ValueDrawing::Kind::replicated: drawReplicated(painter, box, value, theme, scale); break;
    case ValueDrawing::Kind::split: drawSplit(painter, box, value, theme, scale); break;
    case ValueDrawing::Kind::partial: drawPartial(painter, box, value, theme, scale); break;
    }
}

void drawRuler(QPainter& painter, const QRect& box, const ValueDrawing& value, const Theme& theme,
               bool isLeft, double scale) {
    const int gap = atLeastOne((value.join == ValueDrawing::Join::tiles ? 3 : 1) * scale);
    const auto fill = [&](const PixelPart& part, int slot) {
        painter.fillRect(isLeft ? QRect(box.left(), part.begin, box.width(), part.length)
                                : QRect(part.begin, box.top(), part.length, box.height()),
                         theme.ofDevice(slot));
    };
    const int begin = isLeft ? box.top() : box.left();
    const int length = isLeft ? box.height() : box.width();
    switch (value.kind) {
    case ValueDrawing::Kind::single:
        if (isLeft) {
            painter.fillRect(box, theme.ofDevice(value.hues.front()));
        }
        break;
    case ValueDrawing::Kind::replicated:
        if (isLeft) {
            painter.fillRect(box, theme.line.strong);
            const int count = static_cast<int>(value.hues.size());
            const int dot = std::max(1, box.width() / 2);
            for (int i = 0; i < count; ++i) {
                const int y = begin + length * (i + 1) / (count + 1) - dot / 2;
                painter.fillRect(box.left() + (box.width() - dot) / 2, y, dot, dot,
                                 theme.ofDevice(value.hues[static_cast<std::size_t>(i)]));
            }
        }
        break;
    case ValueDrawing::Kind::split: {
        const auto& parts = isLeft ? value.rows : value.columns;
        if (parts.size() < 2) {
            break;
        }
        for (const PixelPart& part : pixelsOf(parts, begin, length, gap)) {
            const std::size_t slot =
                static_cast<std::size_t>(part.part) * (isLeft ? value.columns.size() : 1);
            fill(part, value.hues[std::min(slot, value.hues.size() - 1)]);
        }
        break;
    }
    case ValueDrawing::Kind::partial:
        if (!isLeft) {
            // Draws horizontal lines below one another.
            const int count = static_cast<int>(value.hues.size());
            for (int i = 0; i < count; ++i) {
                const int top = box.top() + box.height() * i / count;
                const int high = std::max(1, box.height() / count - (count < 6 ? 1 : 0));
                painter.fillRect(box.left(), top, box.width(), high,
                                 theme.ofDevice(value.hues[static_cast<std::size_t>(i)]));
            }
        }
        break;
    case ValueDrawing::Kind::none: break;
    }
}

} // namespace weft::ui
