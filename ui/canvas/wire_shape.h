// SPDX-License-Identifier: Apache-2.0
#pragma once
// The line of a wire: straight when aligned, else one cubic; a long way back goes round at right
// angles. Flattened once, since only thin lines are cheap to paint.

#include <QPointF>
#include <QRectF>
#include <vector>

namespace weft::ui {

enum class Flow : std::uint8_t { down, right };

/// From an output to an input. `around`: the boxes of both nodes, which a way back goes round.
[[nodiscard]] std::vector<QPointF> wireLine(QPointF from, QPointF to, Flow flow,
                                            const QRectF& around = {});
/// The same led through points, in order: a piece to each of them and one to the end.
[[nodiscard]] std::vector<QPointF> wireThrough(QPointF from, const std::vector<QPointF>& via,
                                               QPointF to, Flow flow);
/// How many of the points a wire passes before the place on its line that is nearest to `at`.
[[nodiscard]] std::size_t pointsBefore(QPointF from, const std::vector<QPointF>& via, QPointF to,
                                       Flow flow, QPointF at);
/// A way of straight pieces with round corners.
[[nodiscard]] std::vector<QPointF> roundedLine(const std::vector<QPointF>& way);
[[nodiscard]] double distanceTo(const std::vector<QPointF>& line, QPointF at);
/// The point at a share of the length, and the direction there.
struct PointOnLine {
    QPointF at;
    QPointF direction;
};
[[nodiscard]] PointOnLine pointAlong(const std::vector<QPointF>& line, double share);
[[nodiscard]] QRectF boxOf(const std::vector<QPointF>& line);

} // namespace weft::ui
