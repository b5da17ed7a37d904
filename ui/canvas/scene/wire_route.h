// SPDX-License-Identifier: Apache-2.0
#pragma once
// Routes wires around layers: a wire whose direct line would cross or touch a layer uses a free
// vertical channel beside the layer. Pure.

#include "canvas/scene/wire_shape.h"

#include <functional>
#include <map>

namespace weft::ui {

class WireRouter {
public:
    /// Returns the boxes of the layers that touch an area, except the wire's own two layers.
    using Boxes = std::function<std::vector<QRectF>(const QRectF& area)>;

    /// Returns the line of `wireLine` if nothing is in its way.
    [[nodiscard]] std::vector<QPointF> route(QPointF from, QPointF to, const QRectF& both,
                                             const Boxes& boxes);

private:
    /// Number of wires in each channel; further wires keep a distance.
    std::map<int, int> wiresPerChannel_; ///< by channel position
};

/// Returns true if the line touches the box.
[[nodiscard]] bool crosses(const std::vector<QPointF>& line, const QRectF& box);

} // namespace weft::ui
