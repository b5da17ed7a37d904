// SPDX-License-Identifier: Apache-2.0
#pragma once
// Accessibility of the canvas: every layer, badge, sync and port is an accessible child with a name
// that describes what is drawn.

#include "canvas/view/canvas_view.h"

namespace weft::ui {

/// Installs the accessibility factory; may be called several times.
void makeCanvasAccessible();

/// Returns a name such as "conv2, conv2d, data over 4 devices, 12.9 ms, no problems". `measured`:
/// seconds in the shown run, or 0.
[[nodiscard]] QString spokenName(const NodeView& node, double measured = 0);
/// Returns a name such as "all-gather from pool5 to dense6, 14.2 MB, ≈ 0.54 ms".
[[nodiscard]] QString spokenName(const BadgeView& badge, const NodeView& from, const NodeView& to);
/// Returns a name such as "code learns: all-reduce, 8.19 kB, ≈ 2.41 µs, once in 3 updates".
[[nodiscard]] QString spokenName(const BadgeView& sync, const NodeView& layer);
/// Returns a name such as "conv2, input x, from pool1".
[[nodiscard]] QString spokenName(const NodeView& node, const PortView& port,
                                 const DisplayList& list);

} // namespace weft::ui
