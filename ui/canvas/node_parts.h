// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where the parts of a node lie that change while a run lives, in device pixels: the still picture
// leaves them free, the live one fills them. Pure.

#include "canvas/canvas_painter.h"

#include <optional>
#include <vector>

namespace weft::ui {

/// Where words that stand at the right of a node end, from its left.
inline constexpr double textEdge = 230;

/// The bar of what a layer takes; `share`: of the longest on the canvas.
[[nodiscard]] QRect costBar(const QRect& box, double share, bool isMeasured,
                            const Viewport& viewport);
/// How far a predicted bar may be off: a line from end to end of the band with a stop at either
/// end, as wide as that; nothing where it would be less than a stop.
struct Whisker {
    QRect line, low, high;
};
[[nodiscard]] std::optional<Whisker> whiskerOf(const QRect& box, double low, double high,
                                               const Viewport& viewport);
/// Behind a measured bar that ends outside the band: three columns of a tip, to the right where
/// it is beyond.
[[nodiscard]] std::vector<QRect> outsideMark(const QRect& bar, bool isBeyond,
                                             const Viewport& viewport);
/// Whether a line of text of a constant size on the screen stands in it: not in a layer of one line
/// from afar.
[[nodiscard]] bool hasRoomForText(const NodeView& node, const Viewport& viewport);
/// The right end of the time's baseline.
[[nodiscard]] QPointF timePlace(const NodeView& node, const QRect& box, const Viewport& viewport);
/// What a time takes beside a name where both stand in one line.
[[nodiscard]] double timeRoom(const Viewport& viewport);
/// Where pictures of what a layer made stand: in the place of its drawing.
[[nodiscard]] QRect activationPlace(const QRect& box, const Viewport& viewport);

} // namespace weft::ui
