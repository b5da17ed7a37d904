// SPDX-License-Identifier: Apache-2.0
#pragma once
// Layout of a plot of a given size: the areas of its parts, and the mapping of values to positions.

#include "monitor/plot_drawing.h"

#include <QPointF>
#include <QRect>

namespace weft::ui {

inline constexpr int plotTopMargin = 26;    ///< logical pixels, for title and subtitle
inline constexpr int plotBottomMargin = 20; ///< logical pixels, for the ticks of x
inline constexpr int plotRightMargin = 64;  ///< logical pixels, for labels at the curves' ends
inline constexpr int plotLineHeight = 14;   ///< logical pixels between lines of text

struct PlotAxes {
    Axis x;
    Axis y;
    QRect area;                                                         ///< area of the curves
    [[nodiscard]] QPointF pointOf(double xValue, double yValue) const { ///< position of a value
        return {area.left() + x.toPixel(xValue), area.top() + y.length() - y.toPixel(yValue)};
    }
};
/// `ratio`: device pixels per logical pixel.
[[nodiscard]] PlotAxes axesOf(const QSize& size, const PlotPicture& picture, double ratio = 1);

/// Returns the ticks of the y axis with their unit. A percentage axis has as many decimals as
/// needed to distinguish its ticks.
[[nodiscard]] std::vector<Tick> valueTicksOf(const PlotPicture& picture, int most);

} // namespace weft::ui
