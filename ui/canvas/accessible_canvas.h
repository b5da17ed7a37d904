// SPDX-License-Identifier: Apache-2.0
#pragma once
// The canvas for those who hear it: every layer, badge, sync and port is a child of it with a name
// that says what its drawing shows.

#include "canvas/canvas_view.h"

namespace weft::ui {

/// Once is enough; more does no harm.
void makeCanvasAccessible();

/// "conv2, conv2d, data over 4 devices, 12.9 ms, no problems"; `measured`: seconds, where a run is
/// looked at.
[[nodiscard]] QString spokenName(const NodeView& node, double measured = 0);
/// "all-gather from pool5 to dense6, 14.2 MB, ≈ 0.54 ms"
[[nodiscard]] QString spokenName(const BadgeView& badge, const NodeView& from, const NodeView& to);
/// "code learns: all-reduce, 8.19 kB, ≈ 2.41 µs, once in 3 updates"
[[nodiscard]] QString spokenName(const BadgeView& sync, const NodeView& layer);
/// "conv2, input x, from pool1"
[[nodiscard]] QString spokenName(const NodeView& node, const PortView& port,
                                 const DisplayList& list);

} // namespace weft::ui
