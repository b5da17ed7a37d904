// SPDX-License-Identifier: Apache-2.0
#include "monitor/plot_marks.h"

#include "theme/look.h"
#include "theme/quantity.h"
#include "theme/symbols.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <algorithm>
#include <cmath>
#include <ranges>

namespace weft::ui {

namespace {

constexpr double ringDiameter = 5;
constexpr double bestDiameter = 9;

struct EndLabel {
    double y = 0;
    double from = 0;
    QString text;
    QColor colour;
    bool isBehind = false;
};

} // namespace

void drawFlags(QPainter& painter, const QSize& size, const PlotPicture& picture,
               const Theme& theme) {
    constexpr int icon = 13;
    constexpr int tick = 5;
    const PlotAxes axes = axesOf(size, picture);
    painter.setFont(Look::sans(Look::sizes().type.small));
    const QFontMetrics metrics(painter.font());
    const int top = axes.area.top();
    int free = axes.area.left(); // leftmost position for the next text
    for (const PlotFlag& flag : picture.flags) {
        if (!picture.x.contains(flag.x)) {
            continue;
        }
        const int x = qRound(axes.pointOf(flag.x, picture.y.least).x());
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
        int wide = icon + 6 + metrics.horizontalAdvance(flag.text);
        // The area right of the curves holds their end labels, so a text near it is moved to the
        // left of its flag.
        const auto isWithin = [&] { return x + wide <= axes.area.right(); };
        bool isLeft = !isWithin() && x - wide > free;
        const bool hasWords = isWithin() || isLeft;
        if (!hasWords) {
            wide = icon + 6;
            isLeft = !isWithin();
        }
        const int left = isLeft ? x - wide : x + 3;
        painter.drawPixmap(QPoint(left, top),
                           symbol(flag.icon, icon,
                                  isQuiet ? theme.text.tertiary : theme.text.secondary,
                                  painter.device()->devicePixelRatioF()));
        painter.setPen(theme.text.secondary);
        if (hasWords) {
            painter.drawText(QPoint(left + icon + 3, top + 10), flag.text);
        }
        free = (isLeft ? x : x + wide) + 6;
    }
}

void drawRings(QPainter& painter, const PlotAxes& axes, const PlotPicture& picture,
               const DrawnCurve& curve, const Theme& theme) {
    const Series& series = *curve.series;
    const std::size_t first = series.firstIndexFrom(picture.along, picture.x.least);
    const std::size_t last = series.firstIndexFrom(picture.along, picture.x.most, first);
    if (last - first > static_cast<std::size_t>(axes.area.width() / 8)) {
        return;
    }
    painter.setPen(QPen(curve.colour, 1));
    painter.setBrush(theme.surface.dock);
    for (std::size_t i = first; i <= last && i < series.size(); ++i) {
        const double value = series.values().at(i);
        const double x = series.x(picture.along, i);
        if (std::isfinite(value) && picture.y.contains(value) && picture.x.contains(x)) {
            painter.drawEllipse(axes.pointOf(x, value), ringDiameter / 2, ringDiameter / 2);
        }
    }
}

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

void drawEnds(QPainter& painter, const QSize& size, const PlotPicture& picture,
              const Theme& theme) {
    const PlotAxes axes = axesOf(size, picture);
    std::vector<EndLabel> labels;
    for (const DrawnCurve& curve : picture.curves) {
        const NumberColumn& values = curve.smoothed ? *curve.smoothed : curve.series->values();
        const std::size_t end = curve.series->firstIndexFrom(picture.along, picture.x.most);
        const std::size_t last = std::min(end, curve.series->size() - 1);
        if (values.isEmpty() || last >= values.size() || !std::isfinite(values.at(last)) ||
            !picture.y.contains(values.at(last))) {
            continue;
        }
        const double y = axes.pointOf(picture.x.most, values.at(last)).y();
        labels.push_back({y, y, valueText(picture, values.at(last)), curve.colour, curve.isBehind});
    }
    // With too many curves for end labels, labels only the emphasised curves; the crosshair's table
    // lists all.
    const auto isCrowd = [&] {
        return static_cast<int>(labels.size()) > axes.area.height() / plotLineHeight;
    };
    if (isCrowd()) {
        std::erase_if(labels, &EndLabel::isBehind);
    }
    if (isCrowd()) {
        return;
    }
    std::ranges::sort(labels, {}, &EndLabel::from);
    for (std::size_t i = 1; i < labels.size(); ++i) {
        labels[i].y = std::max(labels[i].y, labels[i - 1].y + plotLineHeight);
    }
    double floor = axes.area.bottom();
    for (EndLabel& label : labels | std::views::reverse) {
        label.y = std::min(label.y, floor);
        floor = label.y - plotLineHeight;
    }
    painter.setFont(Look::mono(Look::sizes().type.small));
    for (const EndLabel& label : labels) {
        const int right = axes.area.right() + 1;
        if (std::abs(label.y - label.from) > 2) {
            painter.setPen(theme.line.strong);
            painter.drawLine(QPointF(right, label.from), QPointF(right + 6, label.y));
        }
        painter.setPen(label.colour);
        painter.drawText(QRect(right + 8, qRound(label.y) - 8, plotRightMargin - 8, 16),
                         Qt::AlignLeft | Qt::AlignVCenter, label.text);
    }
}

void drawBest(QPainter& painter, const QSize& size, const PlotPicture& picture,
              const Theme& theme) {
    const PlotAxes axes = axesOf(size, picture);
    for (const DrawnCurve& curve : picture.curves) {
        const auto best = curve.isBestMarked ? curve.series->best() : std::nullopt;
        if (!best) {
            continue;
        }
        const double x = curve.series->x(picture.along, *best);
        const double value = curve.series->values().at(*best);
        if (!picture.x.contains(x) || !picture.y.contains(value)) {
            continue;
        }
        const QPointF at = axes.pointOf(x, value);
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
        // Hides the curves below.
        painter.fillRect(box, theme.surface.dock);
        painter.drawText(box, Qt::AlignCenter, text);
    }
}

void drawCrosshair(QPainter& painter, const QSize& size, const PlotPicture& picture, double x,
                   const Theme& theme) {
    if (!picture.x.contains(x)) {
        return;
    }
    const Sizes& sizes = Look::sizes();
    const PlotAxes axes = axesOf(size, picture);
    const int at = qRound(axes.pointOf(x, picture.y.least).x());
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
    const auto most =
        static_cast<std::size_t>(std::max(1, axes.area.height() / plotLineHeight - 2));
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
    const int height = plotLineHeight * static_cast<int>(rows.size() + 1) + sizes.space.s;
    const bool isLeft = at + width + sizes.space.s > axes.area.right();
    const QRect box(isLeft ? at - width - sizes.space.s : at + sizes.space.s,
                    axes.area.top() + sizes.space.xs, width, height);
    painter.fillRect(box, theme.line.normal);
    painter.fillRect(box.adjusted(1, 1, -1, -1), theme.surface.overlay);
    int y = box.top() + sizes.space.xs;
    painter.setPen(theme.text.tertiary);
    painter.drawText(QRect(box.left() + sizes.space.s, y, width, plotLineHeight), Qt::AlignVCenter,
                     head);
    for (const Row& row : rows) {
        y += plotLineHeight;
        const QRect line(box.left() + sizes.space.s, y, width - 2 * sizes.space.s, plotLineHeight);
        painter.setPen(row.colour);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, row.name);
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, row.value);
    }
}

} // namespace weft::ui
