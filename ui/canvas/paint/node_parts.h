// SPDX-License-Identifier: Apache-2.0
#pragma once
// Positions, in device pixels, of the parts of a node that change during a run: the canvas painter
// leaves them free and the live picture draws them. Pure.

#include "canvas/paint/canvas_painter.h"

#include <optional>
#include <vector>

namespace weft::ui {

/// Right edge of text that is aligned to the right of a node, from the node's left edge.
inline constexpr double textEdge = 230;

/// Box of the bar for a layer's time; `share` is relative to the longest bar on the canvas.
[[nodiscard]] QRect timeBarBox(const QRect& box, double share, bool isMeasured,
                               const Viewport& viewport);
/// Error bar of a predicted time: a line over the predicted range with a cap at each end; none if
/// it would be narrower than a cap.
struct Whisker {
    QRect line, low, high; ///< the range, its lower and its upper cap; device pixels
};
[[nodiscard]] std::optional<Whisker> whiskerOf(const QRect& box, double low, double high,
                                               const Viewport& viewport);
/// Arrow head after the bar of a measured time outside the predicted range: three pixel columns,
/// pointing right if the time is above the range.
[[nodiscard]] std::vector<QRect> outOfRangeArrow(const QRect& bar, bool isBeyond,
                                                 const Viewport& viewport);
/// Returns true if a line of text of constant screen size fits in the node; false for a one-line
/// node when zoomed out.
[[nodiscard]] bool hasRoomForText(const NodeView& node, const Viewport& viewport);
/// Right end of the time's baseline.
[[nodiscard]] QPointF timeTextEnd(const NodeView& node, const QRect& box, const Viewport& viewport);
/// Width that a time needs beside a name on the same line.
[[nodiscard]] double timeTextWidth(const Viewport& viewport);
/// Box of the activation's picture, in place of the layer's drawing.
[[nodiscard]] QRect activationBox(const QRect& box, const Viewport& viewport);

} // namespace weft::ui
