// SPDX-License-Identifier: Apache-2.0
#pragma once
// Edits of a wire's reroute points.

#include "canvas/scene/display_list.h"
#include <weft/edits.h>

#include <algorithm>

namespace weft::ui {

/// `change` edits the reroute points of the wire that ends at `to`.
template <class Change>
Edited editReroutes(Design& design, const NetworkPath& path, const Endpoint& to,
                    const Change& change) {
    const Network& network = networkAt(design, path);
    const auto wire = std::ranges::find(network.wires, to, &Wire::to);
    std::vector<Point> via = wire == network.wires.end() ? std::vector<Point>() : wire->via;
    change(via);
    return setVia(design, path, to, std::move(via));
}

/// `point` names the wire and the point.
inline Edited removeReroute(Design& design, const NetworkPath& path, const ItemRef& point) {
    return editReroutes(design, path, point.wire, [&](std::vector<Point>& via) {
        if (point.index < via.size()) {
            via.erase(via.begin() + static_cast<std::ptrdiff_t>(point.index));
        }
    });
}

} // namespace weft::ui
