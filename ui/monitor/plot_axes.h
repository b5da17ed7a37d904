// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where what stands in a plot of some size: its parts, and values as places in it.

#include "monitor/plot_drawing.h"

#include <QPointF>
#include <QRect>

namespace weft::ui {

inline constexpr int plotHead = 26;
inline constexpr int plotFoot = 20;
inline constexpr int plotEnd = 64; ///< right of the curves, for what stands beside their ends
inline constexpr int plotLinePitch = 14;

struct PlotAxes {
    Axis x;
    Axis y;
    QRect area;
    [[nodiscard]] QPointF at(double xValue, double yValue) const {
        return {area.left() + x.toPixel(xValue), area.top() + y.length() - y.toPixel(yValue)};
    }
};
/// `ratio` pixels per point.
[[nodiscard]] PlotAxes axesOf(const QSize& size, const PlotPicture& picture, double ratio = 1);

/// Labels of the values, with their unit: an axis of shares counts in %, with as many decimals as
/// tell its ticks apart.
[[nodiscard]] std::vector<Tick> valueTicksOf(const PlotPicture& picture, int most);

} // namespace weft::ui
