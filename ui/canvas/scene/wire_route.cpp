// SPDX-License-Identifier: Apache-2.0
#include "canvas/scene/wire_route.h"

#include <algorithm>
#include <cmath>

namespace weft::ui {

namespace {

constexpr double clear = 8;    ///< a wire closer to a layer would seem to belong to that layer
constexpr double beside = 24;  ///< distance of a channel from the layers it passes
constexpr double below = 14;   ///< distance between the port and the bend to the channel
constexpr double pitch = 8;    ///< distance between wires in one channel
constexpr double around = 700; ///< how far to the side a channel is searched

/// Liang-Barsky clipping: returns true if a part of the segment lies inside the box.
bool crosses(QPointF from, QPointF to, const QRectF& box) {
    double begin = 0;
    double end = 1;
    const auto cut = [&](double way, double room) {
        if (way == 0) {
            return room >= 0;
        }
        const double at = room / way;
        (way < 0 ? begin : end) = way < 0 ? std::max(begin, at) : std::min(end, at);
        return begin <= end;
    };
    const QPointF way = to - from;
    return cut(-way.x(), from.x() - box.left()) && cut(way.x(), box.right() - from.x()) &&
           cut(-way.y(), from.y() - box.top()) && cut(way.y(), box.bottom() - from.y());
}

QRectF grown(const QRectF& box, double by) { return box.adjusted(-by, -by, by, by); }

} // namespace

bool crosses(const std::vector<QPointF>& line, const QRectF& box) {
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        if (crosses(line[i], line[i + 1], box)) {
            return true;
        }
    }
    return false;
}

std::vector<QPointF> WireRouter::route(QPointF from, QPointF to, const QRectF& both,
                                       const Boxes& boxes) {
    std::vector<QPointF> plain = wireLine(from, to, Flow::down, both);
    if (to.y() < from.y() + 2 * below) {
        return plain;
    }
    const auto isHit = [](const std::vector<QPointF>& line, const std::vector<QRectF>& among) {
        return std::ranges::any_of(
            among, [&](const QRectF& box) { return crosses(line, grown(box, clear)); });
    };
    if (!isHit(plain, boxes(grown(boxOf(plain), clear)))) {
        return plain;
    }
    const double top = from.y() + below;
    const double bottom = to.y() - below;
    const QRectF field(QPointF(std::min(from.x(), to.x()) - around, top),
                       QPointF(std::max(from.x(), to.x()) + around, bottom));
    const std::vector<QRectF> near = boxes(field);
    const auto way = [&](double x) {
        return std::vector<QPointF>{from,        {from.x(), top},  {x, top},
                                    {x, bottom}, {to.x(), bottom}, to};
    };
    std::vector<double> channels{from.x(), to.x()};
    for (const QRectF& box : near) {
        channels.push_back(box.left() - beside);
        channels.push_back(box.right() + beside);
    }
    const auto aside = [&](double x) { return std::abs(x - from.x()) + std::abs(x - to.x()); };
    std::ranges::sort(channels, {}, aside);
    for (const double x : channels) {
        if (x >= field.left() && x <= field.right() && !isHit(way(x), near)) {
            const double middle = (from.x() + to.x()) / 2;
            const int before = wiresPerChannel_[static_cast<int>(std::lround(x))]++;
            return roundedLine(way(x + (x < middle ? -pitch : pitch) * before));
        }
    }
    return plain;
}

} // namespace weft::ui
