// SPDX-License-Identifier: Apache-2.0
#pragma once
// The line of a wire: straight if its ends are aligned, else a cubic curve; a long backward wire
// runs at right angles around the nodes. Flattened once, because only thin polylines are fast to
// paint.

#include <QPointF>
#include <QRectF>
#include <vector>

namespace weft::ui {

enum class Flow : std::uint8_t { down, right }; ///< direction from inputs to outputs

/// Returns the line from an output to an input. `around`: the boxes of both nodes, which a backward
/// wire avoids.
[[nodiscard]] std::vector<QPointF> wireLine(QPointF from, QPointF to, Flow flow,
                                            const QRectF& around = {});
/// Returns a line through the given points in order: one piece per point and one to the end.
[[nodiscard]] std::vector<QPointF> wireLineThrough(QPointF from, const std::vector<QPointF>& via,
                                                   QPointF to, Flow flow);
/// Returns the number of reroute points before the point on the line that is nearest to `at`.
[[nodiscard]] std::size_t reroutesBefore(QPointF from, const std::vector<QPointF>& via, QPointF to,
                                         Flow flow, QPointF at);
/// Returns a path of straight segments with rounded corners.
[[nodiscard]] std::vector<QPointF> roundedLine(const std::vector<QPointF>& way);
[[nodiscard]] double distanceTo(const std::vector<QPointF>& line, QPointF at);
/// A point at a fraction of the length, and the direction there.
struct PointOnLine {
    QPointF at;
    QPointF direction; ///< unit vector
};
[[nodiscard]] PointOnLine pointAlong(const std::vector<QPointF>& line, double share);
[[nodiscard]] QRectF boxOf(const std::vector<QPointF>& line);

} // namespace weft::ui
