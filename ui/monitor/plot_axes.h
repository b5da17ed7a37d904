// SPDX-License-Identifier: Apache-2.0
#pragma once
// Layout of a plot of a given size: the areas of its parts, and the mapping of values to positions.

#include "monitor/plot_drawing.h"

#include <QPointF>
#include <QRect>

namespace weft::ui {

inline constexpr int plotHead = 26;
inline constexpr int plotFoot = 20;
inline constexpr int plotEnd = 64; ///< margin on the right for labels at the curves' ends
inline constexpr int plotLinePitch = 14;

struct PlotAxes {
    Axis x;
    Axis y;
    QRect area;
    [[nodiscard]] QPointF at(double xValue, double yValue) const {
        return {area.left() + x.toPixel(xValue), area.top() + y.length() - y.toPixel(yValue)};
    }
};
/// `ratio`: device pixels per logical pixel.
[[nodiscard]] PlotAxes axesOf(const QSize& size, const PlotPicture& picture, double ratio = 1);

/// Returns the ticks of the y axis with their unit. A percentage axis has as many decimals as
/// needed to distinguish its ticks.
[[nodiscard]] std::vector<Tick> valueTicksOf(const PlotPicture& picture, int most);

} // namespace weft::ui
