// SPDX-License-Identifier: Apache-2.0
#pragma once
// Draws the marks of a plot: flags, rings, gaps, the best value and the labels at the curves' ends.

#include "monitor/plot_axes.h"

namespace weft::ui {

/// Draws each flag as a dotted vertical line with icon and text; crowded flags only as ticks.
void drawFlags(QPainter& painter, const QSize& size, const PlotPicture& picture,
               const Theme& theme);
/// Draws circles at the values of a dashed curve if they are far enough apart.
void drawRings(QPainter& painter, const PlotAxes& axes, const PlotPicture& picture,
               const DrawnCurve& curve, const Theme& theme);
/// Marks values that are not finite by a tick in error colour on the baseline.
void drawGaps(QPainter& painter, const QRect& area, const std::vector<CurveColumn>& columns,
              double ratio, const Theme& theme);
/// Draws labels beside the last points and separates overlapping labels.
void drawEnds(QPainter& painter, const QSize& size, const PlotPicture& picture, const Theme& theme);
void drawBest(QPainter& painter, const QSize& size, const PlotPicture& picture, const Theme& theme);

} // namespace weft::ui
