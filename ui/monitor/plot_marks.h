// SPDX-License-Identifier: Apache-2.0
#pragma once
// What stands on a plot beside its curves' lines: flags, rings, gaps, the best value, the ends.

#include "monitor/plot_axes.h"

namespace weft::ui {

/// A dotted upright with its icon and text; where flags crowd, their ticks alone.
void drawFlags(QPainter& painter, const QSize& size, const PlotPicture& picture,
               const Theme& theme);
/// Hollow circles at the values of a dashed curve, where they stand apart.
void drawRings(QPainter& painter, const PlotAxes& axes, const PlotPicture& picture,
               const DrawnCurve& curve, const Theme& theme);
/// Numbers that are none: a tick of error colour on the baseline, from the columns of the curve.
void drawGaps(QPainter& painter, const QRect& area, const std::vector<CurveColumn>& columns,
              double ratio, const Theme& theme);
/// Beside the last points, moved apart where they would touch.
void drawEnds(QPainter& painter, const QSize& size, const PlotPicture& picture, const Theme& theme);
void drawBest(QPainter& painter, const QSize& size, const PlotPicture& picture, const Theme& theme);

} // namespace weft::ui
