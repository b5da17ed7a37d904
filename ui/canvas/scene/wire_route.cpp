// SPDX-License-Identifier: Apache-2.0
#include "canvas/scene/wire_route.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <queue>

namespace weft::ui {

namespace {

constexpr double clear = 8;       ///< a wire closer to a layer would seem to belong to that layer
constexpr double beside = 24;     ///< distance of a channel from the layers it passes
constexpr double below = 14;      ///< distance between the port and the bend to the channel
constexpr double pitch = 8;       ///< distance between wires in one channel
constexpr double around = 700;    ///< how far to the side a channel is searched
constexpr double bend = 60;       ///< a bend counts as much as this length
constexpr int mostSearches = 100; ///< further wires of a list stay plain
constexpr std::size_t mostGridLines = 60; ///< channels or rows of a search, the nearest ones

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

/// Returns true if the line comes too close to a box.
bool isHit(const std::vector<QPointF>& line, const std::vector<QRectF>& among) {
    return std::ranges::any_of(
        among, [&](const QRectF& box) { return ui::crosses(line, grown(box, clear)); });
}

/// Returns the boxes to which a segment would come too close.
std::vector<QRectF> boxesOn(QPointF from, QPointF to, const std::vector<QRectF>& among) {
    std::vector<QRectF> hit;
    std::ranges::copy_if(among, std::back_inserter(hit),
                         [&](const QRectF& box) { return crosses(from, to, grown(box, clear)); });
    return hit;
}

/// Keeps those nearest to both ends, in ascending order and without repetition.
std::vector<double> nearestGridLines(std::vector<double> gridLines, double begin, double end) {
    std::ranges::sort(gridLines);
    const auto repeated = std::ranges::unique(gridLines);
    gridLines.erase(repeated.begin(), repeated.end());
    const auto detour = [&](double gridLine) {
        return std::abs(gridLine - begin) + std::abs(gridLine - end);
    };
    std::ranges::stable_sort(gridLines, {}, detour);
    gridLines.resize(std::min(gridLines.size(), mostGridLines));
    std::ranges::sort(gridLines);
    return gridLines;
}

std::size_t indexOf(const std::vector<double>& gridLines, double gridLine) {
    return static_cast<std::size_t>(std::ranges::lower_bound(gridLines, gridLine) -
                                    gridLines.begin());
}

/// Leaves out points between two others on one straight line.
std::vector<QPointF> cornersOf(const std::vector<QPointF>& way) {
    std::vector<QPointF> corners;
    for (const QPointF& point : way) {
        const std::size_t count = corners.size();
        const auto isBetween = [&](auto along) {
            return along(corners[count - 2]) == along(point) &&
                   along(corners[count - 1]) == along(point);
        };
        if (count >= 2 && (isBetween([](QPointF at) { return at.x(); }) ||
                           isBetween([](QPointF at) { return at.y(); }))) {
            corners.pop_back();
        }
        corners.push_back(point);
    }
    return corners;
}

} // namespace

bool crosses(const std::vector<QPointF>& line, const QRectF& box) {
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        if (crosses(line[i], line[i + 1], box)) {
            return true;
        }
    }
    return false;
}

std::vector<QPointF> WireRouter::search(QPointF begin, QPointF end,
                                        const std::vector<QRectF>& obstacles) {
    if (searches_ == mostSearches) {
        return {};
    }
    ++searches_;
    const QRectF area = grown(QRectF(begin, end).normalized(), 2 * around);
    std::vector<double> xs{begin.x(), end.x()};
    std::vector<double> ys{begin.y(), end.y()};
    const auto addWithin = [](std::vector<double>& gridLines, double from, double to,
                              std::initializer_list<double> more) {
        std::ranges::copy_if(more, std::back_inserter(gridLines),
                             [&](double gridLine) { return gridLine >= from && gridLine <= to; });
    };
    for (const QRectF& box : obstacles) {
        addWithin(xs, area.left(), area.right(), {box.left() - beside, box.right() + beside});
        addWithin(ys, area.top(), area.bottom(), {box.top() - below, box.bottom() + below});
    }
    xs = nearestGridLines(std::move(xs), begin.x(), end.x());
    ys = nearestGridLines(std::move(ys), begin.y(), end.y());
    std::vector<std::vector<QRectF>> inChannel;
    std::vector<std::vector<QRectF>> inRow;
    for (const double x : xs) {
        inChannel.push_back(boxesOn({x, area.top()}, {x, area.bottom()}, obstacles));
    }
    for (const double y : ys) {
        inRow.push_back(boxesOn({area.left(), y}, {area.right(), y}, obstacles));
    }
    // Dijkstra's algorithm over the crossings of channels and rows, each reached along either.
    struct Step {
        double cost;
        std::size_t state; ///< crossing and direction
        bool operator>(const Step& other) const { return cost > other.cost; }
    };
    const auto stateOf = [&](std::size_t x, std::size_t y, bool isRow) {
        return (y * xs.size() + x) * 2 + (isRow ? 1 : 0);
    };
    const auto pointOf = [&](std::size_t state) {
        return QPointF(xs[state / 2 % xs.size()], ys[state / 2 / xs.size()]);
    };
    const std::size_t count = xs.size() * ys.size() * 2;
    std::vector<double> costs(count, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> before(count, count);
    std::priority_queue<Step, std::vector<Step>, std::greater<>> queue;
    const std::size_t first = stateOf(indexOf(xs, begin.x()), indexOf(ys, begin.y()), false);
    const std::size_t last = stateOf(indexOf(xs, end.x()), indexOf(ys, end.y()), false);
    costs[first] = 0;
    queue.push({0, first});
    while (!queue.empty()) {
        const auto [cost, state] = queue.top();
        queue.pop();
        if (state == last) {
            break;
        }
        if (cost > costs[state]) {
            continue;
        }
        const bool isRow = state % 2 == 1;
        const std::size_t x = state / 2 % xs.size();
        const std::size_t y = state / 2 / xs.size();
        const auto offer = [&](std::size_t next, double more) {
            if (cost + more < costs[next]) {
                costs[next] = cost + more;
                before[next] = state;
                queue.push({cost + more, next});
            }
        };
        offer(stateOf(x, y, !isRow), bend);
        for (const bool isBack : {true, false}) {
            const std::size_t place = isRow ? x : y;
            if (isBack ? place == 0 : place + 1 == (isRow ? xs : ys).size()) {
                continue;
            }
            const std::size_t beyond = isBack ? place - 1 : place + 1;
            const std::size_t next = isRow ? stateOf(beyond, y, true) : stateOf(x, beyond, false);
            if (boxesOn(pointOf(state), pointOf(next), isRow ? inRow[y] : inChannel[x]).empty()) {
                const QPointF way = pointOf(next) - pointOf(state);
                offer(next, std::abs(way.x()) + std::abs(way.y()));
            }
        }
    }
    std::vector<QPointF> way;
    if (std::isfinite(costs[last])) {
        for (std::size_t state = last; state != count; state = before[state]) {
            way.push_back(pointOf(state));
        }
        std::ranges::reverse(way);
    }
    return way;
}

std::vector<QPointF> WireRouter::route(QPointF from, QPointF to, const QRectF& fromBox,
                                       const QRectF& toBox, const Boxes& boxes) {
    std::vector<QPointF> plain = wireLine(from, to, Flow::down, fromBox | toBox);
    if (!isHit(plain, boxes(grown(boxOf(plain), clear)))) {
        return plain;
    }
    const double top = from.y() + below;
    const double bottom = to.y() - below;
    const QRectF field(QPointF(std::min(from.x(), to.x()) - around, std::min(top, bottom)),
                       QPointF(std::max(from.x(), to.x()) + around, std::max(top, bottom)));
    std::vector<QRectF> near = boxes(field);
    const auto way = [&](double x) {
        return std::vector<QPointF>{from,        {from.x(), top},  {x, top},
                                    {x, bottom}, {to.x(), bottom}, to};
    };
    if (top <= bottom) {
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
    }
    // Between columns a wire may have to pass above or below what stands between its ends.
    near = boxes(grown(field, around));
    near.push_back(fromBox);
    near.push_back(toBox);
    std::vector<QPointF> found = search({from.x(), top}, {to.x(), bottom}, near);
    if (found.empty()) {
        return plain;
    }
    found.insert(found.begin(), from);
    found.push_back(to);
    return roundedLine(cornersOf(found));
}

} // namespace weft::ui
