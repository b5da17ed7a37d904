// SPDX-License-Identifier: Apache-2.0
#pragma once
// A plot as a picture: axes, flags, curves, what stands beside their ends. One description drawn
// two ways: into pixels for the screen, as lines for a file that scales. Needs no widget.

#include "monitor/curve_columns.h"
#include "theme/theme.h"

#include <QPainter>
#include <QString>
#include <optional>
#include <vector>

namespace weft::ui {

struct DrawnCurve {
    SeriesHandle series = nullptr;
    const NumberColumn* smoothed = nullptr; ///< nullptr: only as it is
    QString name = {};
    QColor colour = {};
    bool isDashed = false;
    bool hasRings = false; ///< a hollow circle at each value where there is room
    bool isBehind = false; ///< in a crowd its end is not told
    bool isBestMarked = false;
};

struct PlotFlag {
    double x = 0;
    QString text = {}; ///< empty: its icon says it, and it stands back
    QString icon = {};
};

struct PlotPicture {
    QString title;
    QString subtitle;
    std::vector<DrawnCurve> curves;
    std::vector<PlotFlag> flags;
    Along along = Along::step;
    Range x;
    Range y;
    bool isLogX = false;
    bool isLogY = false;
    bool isPercent = false;
    bool isTime = false; ///< seconds
};

/// The part of a plot of that size which curves are drawn in.
[[nodiscard]] QRect curveArea(const QSize& size);
/// As a person reads a value of this plot.
[[nodiscard]] QString valueText(const PlotPicture& picture, double value);

/// `image` has the device's pixels of a plot of `size`; its ratio is set.
void drawPixels(QImage& image, const QSize& size, const PlotPicture& picture, const Theme& theme);
void drawLines(QPainter& painter, const QSize& size, const PlotPicture& picture,
               const Theme& theme);
/// The line at `x` with the value of each curve there.
void drawCrosshair(QPainter& painter, const QSize& size, const PlotPicture& picture, double x,
                   const Theme& theme);

} // namespace weft::ui
