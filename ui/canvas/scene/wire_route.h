// SPDX-License-Identifier: Apache-2.0
#pragma once
// Routes wires around layers: a wire whose direct line would cross or touch a layer uses a free
// vertical channel beside the layer, or the shortest way along several channels and rows. Pure.

#include "canvas/scene/wire_shape.h"

#include <functional>
#include <map>

namespace weft::ui {

class WireRouter {
public:
    /// Returns the boxes of the layers that touch an area, except the wire's own two layers.
    using Boxes = std::function<std::vector<QRectF>(const QRectF& area)>;

    /// Returns the line of `wireLine` if nothing is in its way, or no way is found. `fromBox`,
    /// `toBox`: the layers of the output and of the input.
    [[nodiscard]] std::vector<QPointF> route(QPointF from, QPointF to, const QRectF& fromBox,
                                             const QRectF& toBox, const Boxes& boxes);

private:
    /// Returns the corners from below the output to above the input; empty if there is no way.
    [[nodiscard]] std::vector<QPointF> search(QPointF begin, QPointF end,
                                              const std::vector<QRectF>& obstacles);

    /// Number of wires in each channel; further wires keep a distance.
    std::map<int, int> wiresPerChannel_; ///< by channel position
    int searches_ = 0;                   ///< so far; each takes up to some milliseconds
};

/// Returns true if the line touches the box.
[[nodiscard]] bool crosses(const std::vector<QPointF>& line, const QRectF& box);

} // namespace weft::ui
