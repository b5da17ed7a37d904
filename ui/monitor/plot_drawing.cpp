// SPDX-License-Identifier: Apache-2.0
#include "monitor/plot_drawing.h"

#include "monitor/plot_axes.h"
#include "monitor/plot_marks.h"
#include "theme/look.h"
#include "theme/quantity.h"

#include <QFontMetrics>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <ranges>

namespace weft::ui {

namespace {

void drawFrame(QPainter& painter, const QSize& size, const PlotPicture& picture,
               const Theme& theme) {
    const Sizes& sizes = Look::sizes();
    const PlotAxes axes = axesOf(size, picture);
    const QRect area = axes.area;
    const int middle = plotTopMargin / 2;
    painter.setFont(Look::sans(sizes.type.body, sizes.type.semibold));
    painter.setPen(theme.text.primary);
    const QFontMetrics title(painter.font());
    painter.drawText(QRect(sizes.space.m, 0, size.width(), plotTopMargin), Qt::AlignVCenter,
                     picture.title);
    painter.setFont(Look::sans(sizes.type.small));
    painter.setPen(theme.text.tertiary);
    painter.drawText(QRect(sizes.space.m + title.horizontalAdvance(picture.title) + sizes.space.s,
                           0, size.width(), plotTopMargin),
                     Qt::AlignVCenter, picture.subtitle);
    painter.setFont(Look::mono(sizes.type.small));
    const int half = sizes.type.small;
    const int most = std::clamp(area.height() / (2 * middle), 2, 6);
    for (const Tick& tick : valueTicksOf(picture, most)) {
        const int y = qRound(axes.pointOf(picture.x.least, tick.value).y());
        painter.fillRect(QRect(area.left(), y, area.width(), 1), theme.line.subtle);
        painter.setPen(theme.text.tertiary);
        painter.drawText(
            QRect(0, y - half, area.left() - sizes.space.xs - sizes.space.xxs, 2 * half),
            Qt::AlignRight | Qt::AlignVCenter, tick.text);
    }
    painter.fillRect(QRect(area.left(), area.bottom() + 1, area.width(), 1), theme.line.normal);
    const int across = std::clamp(area.width() / 70, 2, 6);
    const std::vector<Tick> ticks = picture.along == XAxis::time && !picture.isLogX
                                        ? timeTicksOf(picture.x, across)
                                        : ticksOf(picture.x, picture.isLogX, across);
    for (const Tick& tick : ticks) {
        const int x = qRound(axes.pointOf(tick.value, picture.y.least).x());
        painter.drawText(QRect(x - 40, area.bottom() + 2, 80, plotBottomMargin),
                         Qt::AlignHCenter | Qt::AlignVCenter, tick.text);
    }
}

/// The raw curve is drawn fainter behind the smoothed one.
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

void drawPixels(QImage& image, const QSize& size, const PlotPicture& picture, const Theme& theme) {
    const double ratio = image.devicePixelRatio();
    image.fill(theme.surface.dock);
    QPainter painter(&image);
    drawFrame(painter, size, picture, theme);
    drawFlags(painter, size, picture, theme);
    painter.end();
    const QRect area = curveArea(size);
    const PlotAxes axes = axesOf(size, picture, ratio);
    const QRect inside(qRound(area.left() * ratio), qRound(area.top() * ratio),
                       qRound(area.width() * ratio), qRound(area.height() * ratio));
    // The sub-image into which the curves are drawn; shares the image's memory.
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
        canvas.drawCurve(columns, colour.rgb(), curve.isDashed ? Dash::dashed : Dash::solid);
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
        if (curve.hasRings) {
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
    const PlotAxes axes = axesOf(size, picture);
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
        if (curve.hasRings) {
            drawRings(painter, axes, picture, curve, theme);
        }
    }
    drawBest(painter, size, picture, theme);
    drawEnds(painter, size, picture, theme);
}

} // namespace weft::ui
