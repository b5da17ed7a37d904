// SPDX-License-Identifier: Apache-2.0
#pragma once
// Wires that go past what stands in their way: where the plain line would run through or along a
// layer, it goes down a free channel beside it. Pure.

#include "canvas/wire_shape.h"

#include <functional>
#include <map>

namespace weft::ui {

class WireRouter {
public:
    /// The boxes of the layers that touch an area, those of the wire's own two ends left out.
    using Boxes = std::function<std::vector<QRectF>(const QRectF& area)>;

    /// The plain line of `wireLine` where nothing is in its way.
    [[nodiscard]] std::vector<QPointF> route(QPointF from, QPointF to, const QRectF& both,
                                             const Boxes& boxes);

private:
    /// How many wires go down a channel already: each keeps clear of the others.
    std::map<int, int> taken_;
};

/// Whether the line touches the box.
[[nodiscard]] bool crosses(const std::vector<QPointF>& line, const QRectF& box);

} // namespace weft::ui
