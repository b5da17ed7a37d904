// SPDX-License-Identifier: Apache-2.0
#pragma once
// Draws a plot with axes, flags, curves and labels at their ends from one description: as pixels
// for the screen, or as vector lines for a file. Needs no widget.

#include "monitor/curve_columns.h"
#include "theme/theme.h"

#include <QPainter>
#include <QString>
#include <optional>
#include <vector>

namespace weft::ui {

struct DrawnCurve {
    SeriesHandle series = nullptr;
    const NumberColumn* smoothed = nullptr; ///< nullptr: the curve is not smoothed
    QString name = {};
    QColor colour = {};
    bool isDashed = false;
    bool hasRings = false;     ///< draws a circle at each value if there is room
    bool isBehind = false;     ///< grey; its end has no label if there are many curves
    bool isBestMarked = false; ///< the best value has a mark
};

struct PlotFlag {
    double x = 0;      ///< in the unit of the x axis
    QString text = {}; ///< empty: only the icon is drawn, in grey
    QString icon = {}; ///< under resources/icons
};

struct PlotPicture {
    QString title;
    QString subtitle;
    std::vector<DrawnCurve> curves;
    std::vector<PlotFlag> flags; ///< events along x
    XAxis along = XAxis::step;   ///< quantity of the x axis
    Range x;                     ///< visible range
    Range y;                     ///< visible range
    bool isLogX = false;
    bool isLogY = false;
    bool isPercent = false; ///< values from 0 to 1 are written as percentages
    bool isTime = false;    ///< the values are seconds
};

[[nodiscard]] QRect curveArea(const QSize& size); ///< area of the curves in a plot of this size
/// Formats a value of this plot for reading.
[[nodiscard]] QString valueText(const PlotPicture& picture, double value);

/// `image` must have the device pixels of a plot of `size`, and its device pixel ratio set.
void drawPixels(QImage& image, const QSize& size, const PlotPicture& picture, const Theme& theme);
void drawLines(QPainter& painter, const QSize& size, const PlotPicture& picture,
               const Theme& theme);
/// Draws a vertical line at `x` with the value of each curve.
void drawCrosshair(QPainter& painter, const QSize& size, const PlotPicture& picture, double x,
                   const Theme& theme);

} // namespace weft::ui
