// SPDX-License-Identifier: GPL-3.0-or-later
#include "monitor/plot_drawing.h"

#include "theme/look.h"
#include "theme/quantity.h"
#include "theme/symbols.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <QLocale>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <ranges>

namespace weft::ui {

namespace {

constexpr int headHeight = 26;
constexpr int footHeight = 20;
constexpr int labelWidth = 52;
constexpr int endWidth = 64;
constexpr int labelPitch = 14;
constexpr double ringDiameter = 5;
constexpr double bestDiameter = 9;

struct Axes {
    Axis x;
    Axis y;
    QRect area;
    [[nodiscard]] QPointF at(double xValue, double yValue) const {
        return {area.left() + x.toPixel(xValue), area.top() + y.length() - y.toPixel(yValue)};
    }
};

Axes axesOf(const QSize& size, const PlotPicture& picture, double ratio = 1) {
    const QRect area = curveArea(size);
    return {Axis(picture.x, area.width() * ratio, picture.isLogX),
            Axis(picture.y, area.height() * ratio, picture.isLogY), area};
}

void drawFrame(QPainter& painter, const QSize& size, const PlotPicture& picture,
               const Theme& theme) {
    const Sizes& sizes = Look::sizes();
    const Axes axes = axesOf(size, picture);
    const QRect area = axes.area;
    const int middle = headHeight / 2;
    painter.setFont(Look::sans(sizes.type.body, sizes.type.semibold));
    painter.setPen(theme.text.primary);
    const QFontMetrics title(painter.font());
    painter.drawText(QRect(sizes.space.m, 0, size.width(), headHeight), Qt::AlignVCenter,
                     picture.title);
    painter.setFont(Look::sans(sizes.type.small));
    painter.setPen(theme.text.tertiary);
    painter.drawText(QRect(sizes.space.m + title.horizontalAdvance(picture.title) + sizes.space.s,
                           0, size.width(), headHeight),
                     Qt::AlignVCenter, picture.subtitle);
    painter.setFont(Look::mono(sizes.type.small));
    const int half = sizes.type.small;
    const int most = std::clamp(area.height() / (2 * middle), 2, 6);
    for (const Tick& tick : ticksOf(picture.y, picture.isLogY, most)) {
        const int y = qRound(axes.at(picture.x.least, tick.value).y());
        painter.fillRect(QRect(area.left(), y, area.width(), 1), theme.line.subtle);
        const QString text = picture.isPercent ? quantity::percent(tick.value) : tick.text;
        painter.setPen(theme.text.tertiary);
        painter.drawText(
            QRect(0, y - half, area.left() - sizes.space.xs - sizes.space.xxs, 2 * half),
            Qt::AlignRight | Qt::AlignVCenter, text);
    }
    painter.fillRect(QRect(area.left(), area.bottom() + 1, area.width(), 1), theme.line.normal);
    const int across = std::clamp(area.width() / 70, 2, 6);
    const std::vector<Tick> ticks = picture.along == Along::time && !picture.isLogX
                                        ? timeTicksOf(picture.x, across)
                                        : ticksOf(picture.x, picture.isLogX, across);
    for (const Tick& tick : ticks) {
        const int x = qRound(axes.at(tick.value, picture.y.least).x());
        painter.drawText(QRect(x - 40, area.bottom() + 2, 80, footHeight),
                         Qt::AlignHCenter | Qt::AlignVCenter, tick.text);
    }
}

/// A dotted upright with its icon and text; where flags crowd, their ticks alone.
void drawFlags(QPainter& painter, const QSize& size, const PlotPicture& picture,
               const Theme& theme) {
    constexpr int icon = 13;
    constexpr int tick = 5;
    const Axes axes = axesOf(size, picture);
    painter.setFont(Look::sans(Look::sizes().type.small));
    const QFontMetrics metrics(painter.font());
    const int top = axes.area.top();
    int free = axes.area.left(); // where the next words may begin
    for (const PlotFlag& flag : picture.flags) {
        if (!picture.x.has(flag.x)) {
            continue;
        }
        const int x = qRound(axes.at(flag.x, picture.y.least).x());
        const bool isQuiet = flag.text.isEmpty();
        const bool hasRoom = x >= free;
        if (isQuiet && !hasRoom) {
            painter.fillRect(QRect(x, axes.area.bottom() - tick, 1, tick), theme.line.strong);
            continue;
        }
        for (int y = top; y < axes.area.bottom(); y += 4) {
            painter.fillRect(QRect(x, y, 1, 2), isQuiet ? theme.line.normal : theme.text.tertiary);
        }
        if (!hasRoom) {
            continue;
        }
        const int wide = icon + 6 + metrics.horizontalAdvance(flag.text);
        // To the left where the right has no room for it.
        const bool isLeft = x + wide > axes.area.right() + endWidth && x - wide > free;
        const int left = isLeft ? x - wide : x + 3;
        painter.drawPixmap(QPoint(left, top),
                           symbol(flag.icon, icon,
                                  isQuiet ? theme.text.tertiary : theme.text.secondary,
                                  painter.device()->devicePixelRatioF()));
        painter.setPen(theme.text.secondary);
        painter.drawText(QPoint(left + icon + 3, top + 10), flag.text);
        free = (isLeft ? x : x + wide) + 6;
    }
}

/// Hollow circles at the values of a dashed curve, where they stand apart.
void drawRings(QPainter& painter, const Axes& axes, const PlotPicture& picture,
               const DrawnCurve& curve, const Theme& theme) {
    const Series& series = *curve.series;
    const std::size_t first = series.firstFrom(picture.along, picture.x.least);
    const std::size_t last = series.firstFrom(picture.along, picture.x.most, first);
    if (last - first > static_cast<std::size_t>(axes.area.width() / 8)) {
        return;
    }
    painter.setPen(QPen(curve.colour, 1));
    painter.setBrush(theme.surface.dock);
    for (std::size_t i = first; i <= last && i < series.size(); ++i) {
        const double value = series.values().at(i);
        const double x = series.x(picture.along, i);
        if (std::isfinite(value) && picture.y.has(value) && picture.x.has(x)) {
            painter.drawEllipse(axes.at(x, value), ringDiameter / 2, ringDiameter / 2);
        }
    }
}

/// Numbers that are none: a tick of error colour on the baseline, from the columns of the curve.
void drawGaps(QPainter& painter, const QRect& area, const std::vector<CurveColumn>& columns,
              double ratio, const Theme& theme) {
    int last = -100;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const int x = area.left() + static_cast<int>(static_cast<double>(i) / ratio);
        if (columns[i].hasGap && x > last) {
            painter.fillRect(QRect(x, area.bottom() - 2, 1, 3), theme.semantic.error);
            last = x;
        }
    }
}

struct EndLabel {
    double y = 0;
    double from = 0;
    QString text;
    QColor colour;
};

/// Beside the last points, moved apart where they would touch.
void drawEnds(QPainter& painter, const QSize& size, const PlotPicture& picture,
              const Theme& theme) {
    const Axes axes = axesOf(size, picture);
    std::vector<EndLabel> labels;
    for (const DrawnCurve& curve : picture.curves) {
        const NumberColumn& values = curve.smoothed ? *curve.smoothed : curve.series->values();
        const std::size_t end = curve.series->firstFrom(picture.along, picture.x.most);
        const std::size_t last = std::min(end, curve.series->size() - 1);
        if (values.isEmpty() || last >= values.size() || !std::isfinite(values.at(last)) ||
            !picture.y.has(values.at(last))) {
            continue;
        }
        const double y = axes.at(picture.x.most, values.at(last)).y();
        labels.push_back({y, y, valueText(picture, values.at(last)), curve.colour});
    }
    // A crowd of curves is told apart by the crosshair's table.
    if (static_cast<int>(labels.size()) > axes.area.height() / labelPitch) {
        return;
    }
    std::ranges::sort(labels, {}, &EndLabel::from);
    for (std::size_t i = 1; i < labels.size(); ++i) {
        labels[i].y = std::max(labels[i].y, labels[i - 1].y + labelPitch);
    }
    double floor = axes.area.bottom();
    for (EndLabel& label : labels | std::views::reverse) {
        label.y = std::min(label.y, floor);
        floor = label.y - labelPitch;
    }
    painter.setFont(Look::mono(Look::sizes().type.small));
    for (const EndLabel& label : labels) {
        const int right = axes.area.right() + 1;
        if (std::abs(label.y - label.from) > 2) {
            painter.setPen(theme.line.strong);
            painter.drawLine(QPointF(right, label.from), QPointF(right + 6, label.y));
        }
        painter.setPen(label.colour);
        painter.drawText(QRect(right + 8, qRound(label.y) - 8, endWidth - 8, 16),
                         Qt::AlignLeft | Qt::AlignVCenter, label.text);
    }
}

void drawBest(QPainter& painter, const QSize& size, const PlotPicture& picture,
              const Theme& theme) {
    const Axes axes = axesOf(size, picture);
    for (const DrawnCurve& curve : picture.curves) {
        const auto best = curve.isBestMarked ? curve.series->best() : std::nullopt;
        if (!best) {
            continue;
        }
        const double x = curve.series->x(picture.along, *best);
        const double value = curve.series->values().at(*best);
        if (!picture.x.has(x) || !picture.y.has(value)) {
            continue;
        }
        const QPointF at = axes.at(x, value);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.accent.ink, 1));
        painter.drawEllipse(at, bestDiameter / 2, bestDiameter / 2);
        const QString text =
            QCoreApplication::translate("plot", "%1 best").arg(valueText(picture, value));
        painter.setFont(Look::mono(Look::sizes().type.small));
        painter.setPen(theme.text.secondary);
        const int wide = QFontMetrics(painter.font()).horizontalAdvance(text);
        const bool isLeft = at.x() + wide + 12 > axes.area.right();
        const double below = at.y() + 20 > axes.area.bottom() ? -16 : 8;
        const QRectF box(isLeft ? at.x() - wide - 10 : at.x() + 8, at.y() + below - 2, wide + 4,
                         14);
        // Curves run behind it.
        painter.fillRect(box, theme.surface.dock);
        painter.drawText(box, Qt::AlignCenter, text);
    }
}

/// Its raw line is behind the smoothed one.
QColor rawColour(const DrawnCurve& curve, const Theme& theme) {
    return curve.smoothed != nullptr ? theme.line.strong : curve.colour;
}

QPainterPath pathOf(const std::vector<CurveColumn>& columns, QPointF origin) {
    QPainterPath path;
    bool isOpen = false;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (columns[i].isEmpty()) {
            isOpen = false;
            continue;
        }
        const double x = origin.x() + static_cast<double>(i) + 0.5;
        const QPointF top(x, origin.y() + columns[i].top);
        const QPointF bottom(x, origin.y() + columns[i].bottom);
        isOpen ? path.lineTo(top) : path.moveTo(top);
        if (bottom != top) {
            path.lineTo(bottom);
        }
        isOpen = true;
    }
    return path;
}

} // namespace

QRect curveArea(const QSize& size) {
    return {labelWidth, headHeight + 4, std::max(1, size.width() - labelWidth - endWidth),
            std::max(1, size.height() - headHeight - footHeight - 8)};
}

QString valueText(const PlotPicture& picture, double value) {
    if (!std::isfinite(value)) {
        return QStringLiteral("NaN");
    }
    if (picture.isPercent) {
        return quantity::percent(value);
    }
    const double size = std::abs(value);
    if (size >= 1000) {
        return quantity::count(value);
    }
    if (size < 1e-3 && size > 0) {
        return QLocale().toString(value, 'e', 2);
    }
    const int decimals =
        std::clamp(2 - static_cast<int>(std::floor(std::log10(std::max(size, 1e-12)))), 0, 5);
    QString text = QLocale().toString(value, 'f', size == 0 ? 0 : decimals);
    return text.replace(QLatin1Char('-'), QChar(0x2212));
}

void drawPixels(QImage& image, const QSize& size, const PlotPicture& picture, const Theme& theme) {
    const double ratio = image.devicePixelRatio();
    image.fill(theme.surface.dock);
    QPainter painter(&image);
    drawFrame(painter, size, picture, theme);
    drawFlags(painter, size, picture, theme);
    painter.end();
    const QRect area = curveArea(size);
    const Axes axes = axesOf(size, picture, ratio);
    const QRect inside(qRound(area.left() * ratio), qRound(area.top() * ratio),
                       qRound(area.width() * ratio), qRound(area.height() * ratio));
    // The part that curves are written into, line by line within the same memory.
    QImage part(image.bits() + inside.top() * image.bytesPerLine() +
                    inside.left() * static_cast<int>(sizeof(QRgb)),
                inside.width(), inside.height(), image.bytesPerLine(), QImage::Format_RGB32);
    ColumnCanvas canvas(part);
    std::vector<std::pair<const StepRows*, RowBounds>> bounds;
    std::vector<std::vector<CurveColumn>> gaps;
    const auto boundsOf = [&](const StepRows& rows) -> const RowBounds& {
        for (const auto& [known, found] : bounds) {
            if (known == &rows) {
                return found;
            }
        }
        return bounds.emplace_back(&rows, RowBounds(rows, picture.along, axes.x)).second;
    };
    const auto write = [&](const DrawnCurve& curve, const NumberColumn& values, QColor colour) {
        const auto columns = columnsOf(*curve.series, values, picture.along,
                                       boundsOf(curve.series->rows()), axes.x, axes.y);
        canvas.write(columns, colour.rgb(), curve.isDashed ? Dash::dashed : Dash::solid);
        if (std::ranges::any_of(columns, &CurveColumn::hasGap)) {
            gaps.push_back(columns);
        }
    };
    for (const DrawnCurve& curve : picture.curves) {
        write(curve, curve.series->values(), rawColour(curve, theme));
    }
    for (const DrawnCurve& curve : picture.curves) {
        if (curve.smoothed != nullptr) {
            write(curve, *curve.smoothed, curve.colour);
        }
    }
    canvas.finish();
    QPainter above(&image);
    above.setRenderHint(QPainter::Antialiasing);
    for (const auto& columns : gaps) {
        drawGaps(above, area, columns, ratio, theme);
    }
    for (const DrawnCurve& curve : picture.curves) {
        if (curve.isDashed) {
            drawRings(above, axesOf(size, picture), picture, curve, theme);
        }
    }
    drawBest(above, size, picture, theme);
    drawEnds(above, size, picture, theme);
}

void drawLines(QPainter& painter, const QSize& size, const PlotPicture& picture,
               const Theme& theme) {
    painter.fillRect(QRect(QPoint(), size), theme.surface.dock);
    drawFrame(painter, size, picture, theme);
    drawFlags(painter, size, picture, theme);
    const Axes axes = axesOf(size, picture);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto write = [&](const DrawnCurve& curve, const NumberColumn& values, QColor colour) {
        const RowBounds bounds(curve.series->rows(), picture.along, axes.x);
        const auto columns =
            columnsOf(*curve.series, values, picture.along, bounds, axes.x, axes.y);
        QPen pen(colour, 1);
        if (curve.isDashed) {
            pen.setDashPattern({4, 3});
        }
        painter.setClipRect(axes.area);
        painter.strokePath(pathOf(columns, axes.area.topLeft()), pen);
        painter.setClipping(false);
        drawGaps(painter, axes.area, columns, 1, theme);
    };
    for (const DrawnCurve& curve : picture.curves) {
        write(curve, curve.series->values(), rawColour(curve, theme));
    }
    for (const DrawnCurve& curve : picture.curves) {
        if (curve.smoothed != nullptr) {
            write(curve, *curve.smoothed, curve.colour);
        }
        if (curve.isDashed) {
            drawRings(painter, axes, picture, curve, theme);
        }
    }
    drawBest(painter, size, picture, theme);
    drawEnds(painter, size, picture, theme);
}

void drawCrosshair(QPainter& painter, const QSize& size, const PlotPicture& picture, double x,
                   const Theme& theme) {
    if (!picture.x.has(x)) {
        return;
    }
    const Sizes& sizes = Look::sizes();
    const Axes axes = axesOf(size, picture);
    const int at = qRound(axes.at(x, picture.y.least).x());
    painter.fillRect(QRect(at, axes.area.top(), 1, axes.area.height()), theme.accent.ink);
    struct Row {
        QString name, value;
        QColor colour;
    };
    std::vector<Row> rows;
    QString head;
    for (const DrawnCurve& curve : picture.curves) {
        const auto nearest = curve.series->nearest(picture.along, x);
        if (!nearest) {
            continue;
        }
        if (head.isEmpty()) {
            head = QCoreApplication::translate("plot", "step %1")
                       .arg(quantity::count(static_cast<double>(curve.series->step(*nearest))));
        }
        rows.push_back(
            {curve.name, valueText(picture, curve.series->values().at(*nearest)), curve.colour});
    }
    const auto most = static_cast<std::size_t>(std::max(1, axes.area.height() / labelPitch - 2));
    rows.resize(std::min(rows.size(), most));
    painter.setFont(Look::mono(sizes.type.small));
    const QFontMetrics metrics(painter.font());
    int names = metrics.horizontalAdvance(head);
    int values = 0;
    for (const Row& row : rows) {
        names = std::max(names, metrics.horizontalAdvance(row.name));
        values = std::max(values, metrics.horizontalAdvance(row.value));
    }
    const int width = names + values + 2 * sizes.space.s + sizes.space.m;
    const int height = labelPitch * static_cast<int>(rows.size() + 1) + sizes.space.s;
    const bool isLeft = at + width + sizes.space.s > axes.area.right();
    const QRect box(isLeft ? at - width - sizes.space.s : at + sizes.space.s,
                    axes.area.top() + sizes.space.xs, width, height);
    painter.fillRect(box, theme.line.normal);
    painter.fillRect(box.adjusted(1, 1, -1, -1), theme.surface.overlay);
    int y = box.top() + sizes.space.xs;
    painter.setPen(theme.text.tertiary);
    painter.drawText(QRect(box.left() + sizes.space.s, y, width, labelPitch), Qt::AlignVCenter,
                     head);
    for (const Row& row : rows) {
        y += labelPitch;
        const QRect line(box.left() + sizes.space.s, y, width - 2 * sizes.space.s, labelPitch);
        painter.setPen(row.colour);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, row.name);
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, row.value);
    }
}

} // namespace weft::ui
