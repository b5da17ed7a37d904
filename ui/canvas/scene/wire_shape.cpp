// SPDX-License-Identifier: Apache-2.0
#include "canvas/scene/wire_shape.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft::ui {

namespace {

constexpr int segments = 16;
constexpr double corner = 14;
constexpr double leastTangent = 28;

double lengthOf(QPointF way) { return std::hypot(way.x(), way.y()); }

QPointF cubic(QPointF a, QPointF b, QPointF c, QPointF d, double t) {
    const double s = 1 - t;
    return a * (s * s * s) + b * (3 * s * s * t) + c * (3 * s * t * t) + d * (t * t * t);
}

QPointF turned(QPointF point) { return {point.y(), point.x()}; }

std::vector<QPointF> lineDown(QPointF from, QPointF to, const QRectF& around) {
    if (std::abs(from.x() - to.x()) < 0.5 && to.y() >= from.y()) {
        return {from, to};
    }
    if (to.y() < from.y() - leastTangent) {
        // A wire that goes backwards: down from the output, up beside both nodes, and into the
        // input from above.
        const double side = std::max(around.right(), std::max(from.x(), to.x())) + 24;
        return roundedLine({from,
                            {from.x(), from.y() + leastTangent},
                            {side, from.y() + leastTangent},
                            {side, to.y() - leastTangent},
                            {to.x(), to.y() - leastTangent},
                            to});
    }
    const double tangent = std::max(leastTangent, lengthOf(to - from) / 2);
    std::vector<QPointF> line;
    line.reserve(segments + 1);
    for (int i = 0; i <= segments; ++i) {
        line.push_back(cubic(from, from + QPointF(0, tangent), to - QPointF(0, tangent), to,
                             static_cast<double>(i) / segments));
    }
    return line;
}

/// Has the same number of points for every piece, because a zoomed-out line is drawn with every
/// fourth point.
std::vector<QPointF> piece(QPointF from, QPointF to, Flow flow) {
    std::vector<QPointF> line = wireLine(from, to, flow);
    const bool isBack = flow == Flow::down ? to.y() < from.y() : to.x() < from.x();
    if (isBack || line.size() == 2) {
        line.clear();
        for (int i = 0; i <= segments; ++i) {
            line.push_back(from + (to - from) * i / segments);
        }
    }
    return line;
}

} // namespace

std::vector<QPointF> wireLineThrough(QPointF from, const std::vector<QPointF>& via, QPointF to,
                                     Flow flow) {
    std::vector<QPointF> line{from};
    for (std::size_t i = 0; i <= via.size(); ++i) {
        const QPointF end = i < via.size() ? via[i] : to;
        const std::vector<QPointF> part = piece(line.back(), end, flow);
        line.insert(line.end(), part.begin() + 1, part.end());
    }
    return line;
}

std::size_t reroutesBefore(QPointF from, const std::vector<QPointF>& via, QPointF to, Flow flow,
                           QPointF at) {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i <= via.size(); ++i) {
        const QPointF begin = i == 0 ? from : via[i - 1];
        const double distance = distanceTo(piece(begin, i < via.size() ? via[i] : to, flow), at);
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    return best;
}

std::vector<QPointF> roundedLine(const std::vector<QPointF>& way) {
    std::vector<QPointF> line{way.front()};
    for (std::size_t i = 1; i + 1 < way.size(); ++i) {
        const QPointF in = way[i] - way[i - 1];
        const QPointF out = way[i + 1] - way[i];
        const double radius = std::min({corner, lengthOf(in) / 2, lengthOf(out) / 2});
        if (radius < 1) {
            line.push_back(way[i]);
            continue;
        }
        const QPointF begin = way[i] - in / lengthOf(in) * radius;
        const QPointF end = way[i] + out / lengthOf(out) * radius;
        constexpr int steps = 6;
        for (int step = 0; step <= steps; ++step) {
            const double t = static_cast<double>(step) / steps;
            line.push_back(begin * ((1 - t) * (1 - t)) + way[i] * (2 * t * (1 - t)) +
                           end * (t * t));
        }
    }
    line.push_back(way.back());
    return line;
}

std::vector<QPointF> wireLine(QPointF from, QPointF to, Flow flow, const QRectF& around) {
    if (flow == Flow::down) {
        return lineDown(from, to, around);
    }
    std::vector<QPointF> line = lineDown(
        turned(from), turned(to), QRectF(around.y(), around.x(), around.height(), around.width()));
    std::ranges::transform(line, line.begin(), turned);
    return line;
}

double distanceTo(const std::vector<QPointF>& line, QPointF at) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        const QPointF way = line[i + 1] - line[i];
        const double square = QPointF::dotProduct(way, way);
        const double share =
            square > 0 ? std::clamp(QPointF::dotProduct(at - line[i], way) / square, 0.0, 1.0) : 0;
        least = std::min(least, lengthOf(at - (line[i] + way * share)));
    }
    return least;
}

PointOnLine pointAlong(const std::vector<QPointF>& line, double share) {
    double whole = 0;
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        whole += lengthOf(line[i + 1] - line[i]);
    }
    double left = whole * share;
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        const QPointF way = line[i + 1] - line[i];
        const double length = lengthOf(way);
        if (left <= length || i + 2 == line.size()) {
            return {line[i] + (length > 0 ? way * (left / length) : QPointF()),
                    length > 0 ? way / length : QPointF(0, 1)};
        }
        left -= length;
    }
    return {line.empty() ? QPointF() : line.front(), {0, 1}};
}

QRectF boxOf(const std::vector<QPointF>& line) {
    if (line.empty()) {
        return {};
    }
    double left = line.front().x();
    double right = left;
    double top = line.front().y();
    double bottom = top;
    for (const QPointF& point : line) {
        left = std::min(left, point.x());
        right = std::max(right, point.x());
        top = std::min(top, point.y());
        bottom = std::max(bottom, point.y());
    }
    return {QPointF(left, top), QPointF(right, bottom)};
}

} // namespace weft::ui
