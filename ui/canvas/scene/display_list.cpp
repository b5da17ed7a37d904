// SPDX-License-Identifier: Apache-2.0
#include "canvas/scene/display_list.h"

#include "canvas/scene/wire_shape.h"
#include "theme/theme.h"

#include <algorithm>
#include <cmath>
#include <ranges>

namespace weft::ui {

namespace {

constexpr double cellSize = 512;

std::int64_t cell(double at) { return static_cast<std::int64_t>(std::floor(at / cellSize)); }

std::int64_t keyOf(std::int64_t column, std::int64_t row) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(column) << 32U) ^
           (row & 0xFFFFFFFF);
}

template <class Visit>
void visitCells(const QRectF& area, const Visit& visit) {
    for (std::int64_t row = cell(area.top()); row <= cell(area.bottom()); ++row) {
        for (std::int64_t column = cell(area.left()); column <= cell(area.right()); ++column) {
            visit(keyOf(column, row));
        }
    }
}

} // namespace

QRectF FrameView::header() const {
    constexpr double height = 30;
    return {box.left(), box.top(), box.width(), std::min(height, box.height())};
}

QRectF FrameView::titleBox() const {
    constexpr double perLetter = 7.5;
    constexpr double margin = 24;
    QRectF part = header();
    part.setWidth(std::min(part.width(), margin + perLetter * static_cast<double>(title.size())));
    return part;
}

QRectF CommentView::box() const {
    constexpr double perLetter = 6.6;
    const Sizes::Type& type = tokens().sizes.type;
    qsizetype longest = 6;
    const QStringList lines = text.split('\n');
    for (const QString& line : lines) {
        longest = std::max(longest, line.size());
    }
    return {at.x() - 4, at.y() - 4, perLetter * static_cast<double>(longest) + 8,
            type.body * type.lineHeight * static_cast<double>(lines.size()) + 8};
}

bool NodeView::hasError() const {
    return !marks.empty() && marks.front().severity() == Severity::error;
}

QRectF boxOfBadge(QPointF at) {
    const double half = tokens().sizes.size.badge / 2.0;
    const double high = half + tokens().sizes.size.threadLength;
    constexpr double label = 130;
    return {at.x() - half, at.y() - high, half + label, 2 * high};
}

QRectF SyncView::box() const {
    const double half = tokens().sizes.size.badge / 2.0;
    return badge.isBare ? QRectF(badge.at, QSizeF()).adjusted(-half, -half, half, half)
                        : boxOfBadge(badge.at) | tile;
}

QRectF NodeView::titleBox() const {
    constexpr double left = 34;
    constexpr double height = 26;
    return {box.left() + left, box.top(), box.width() - left - 34, std::min(height, box.height())};
}

QRectF NodeView::fixBox() const {
    if (isCompact || !hasError() || !marks.front().canMend) {
        return {};
    }
    constexpr double perLetter = 6.6;
    const double wide = perLetter * static_cast<double>(marks.front().fix.size()) + 8;
    return {box.left() + 13, box.top() + 58, std::min(wide, box.width() - 26), 24};
}

void DisplayList::Grid::add(const QRectF& box, int number) {
    visitCells(box, [&](std::int64_t key) { cells[key].push_back(number); });
}

std::vector<int> DisplayList::Grid::itemsTouching(const QRectF& area) const {
    std::vector<int> found;
    // When zoomed out, the area covers more grid cells than exist, so iterates over the existing
    // cells instead.
    const double asked = (area.width() / cellSize + 2) * (area.height() / cellSize + 2);
    if (asked > static_cast<double>(cells.size())) {
        for (const auto& [key, numbers] : cells) {
            found.insert(found.end(), numbers.begin(), numbers.end());
        }
    } else {
        visitCells(area, [&](std::int64_t key) {
            const auto at = cells.find(key);
            if (at != cells.end()) {
                found.insert(found.end(), at->second.begin(), at->second.end());
            }
        });
    }
    std::ranges::sort(found);
    const auto twice = std::ranges::unique(found);
    found.erase(twice.begin(), twice.end());
    return found;
}

void DisplayList::buildIndices() {
    nodeGrid_.cells.clear();
    wireGrid_.cells.clear();
    nodeIndices_.clear();
    bounds_ = {};
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        // Width of what a node draws outside its box: ports, the selection ring, the stack of a
        // repeat.
        constexpr double rim = 16;
        nodeGrid_.add(nodes[i].box.adjusted(-rim, -rim, rim, rim), static_cast<int>(i));
        nodeIndices_.emplace(nodes[i].id.value, static_cast<int>(i));
        bounds_ |= nodes[i].box;
    }
    for (std::size_t i = 0; i < wires.size(); ++i) {
        wireGrid_.add(wires[i].box, static_cast<int>(i));
        bounds_ |= wires[i].box;
    }
    for (const SyncView& sync : syncs) {
        bounds_ |= sync.box();
    }
    for (const FrameView& frame : frames) {
        bounds_ |= frame.box;
    }
    for (const CommentView& comment : comments) {
        bounds_ |= comment.box();
    }
}

const NodeView* DisplayList::node(LayerId id) const {
    const auto found = nodeIndices_.find(id.value);
    return found == nodeIndices_.end() ? nullptr : &nodes[static_cast<std::size_t>(found->second)];
}

std::vector<int> DisplayList::nodesIn(const QRectF& area) const {
    return nodeGrid_.itemsTouching(area);
}

std::vector<int> DisplayList::wiresIn(const QRectF& area) const {
    return wireGrid_.itemsTouching(area);
}

const NodeView* DisplayList::nodeAt(QPointF at) const {
    const std::vector<int> near = nodesIn(QRectF(at, QSizeF(0, 0)));
    for (const int number : near | std::views::reverse) {
        const NodeView& node = nodes[static_cast<std::size_t>(number)];
        if (node.box.contains(at)) {
            return &node;
        }
    }
    return nullptr;
}

DisplayList::PortHit DisplayList::portAt(QPointF at, double reach) const {
    PortHit best;
    double least = reach * reach;
    for (const int number :
         nodesIn(QRectF(at, QSizeF(0, 0)).adjusted(-reach, -reach, reach, reach))) {
        const NodeView& node = nodes[static_cast<std::size_t>(number)];
        for (const PortView& port : node.ports) {
            const QPointF way = port.at - at;
            const double distance = QPointF::dotProduct(way, way);
            if (distance <= least) {
                least = distance;
                best = {&node, &port};
            }
        }
    }
    return best;
}

const WireView* DisplayList::wireAt(QPointF at, double reach) const {
    const WireView* best = nullptr;
    double least = reach;
    for (const int number :
         wiresIn(QRectF(at, QSizeF(0, 0)).adjusted(-reach, -reach, reach, reach))) {
        const WireView& wire = wires[static_cast<std::size_t>(number)];
        if (wire.box.adjusted(-reach, -reach, reach, reach).contains(at)) {
            const double distance = distanceTo(wire.line, at);
            if (distance <= least) {
                least = distance;
                best = &wire;
            }
        }
    }
    return best;
}

const FrameView* DisplayList::frameAt(QPointF at) const {
    for (const FrameView& frame : frames | std::views::reverse) {
        if (frame.box.contains(at)) {
            return &frame;
        }
    }
    return nullptr;
}

const CommentView* DisplayList::commentAt(QPointF at) const {
    for (const CommentView& comment : comments | std::views::reverse) {
        if (comment.box().contains(at)) {
            return &comment;
        }
    }
    return nullptr;
}

const WireView* DisplayList::badgeAt(QPointF at) const {
    const double reach = tokens().sizes.size.badge / 2.0;
    for (const int number :
         wiresIn(QRectF(at, QSizeF(0, 0)).adjusted(-reach, -reach, reach, reach))) {
        const WireView& wire = wires[static_cast<std::size_t>(number)];
        if (wire.badge >= 0) {
            const QPointF way = badges[static_cast<std::size_t>(wire.badge)].at - at;
            if (QPointF::dotProduct(way, way) <= reach * reach) {
                return &wire;
            }
        }
    }
    return nullptr;
}

const SyncView* DisplayList::syncAt(QPointF at) const {
    const auto found =
        std::ranges::find_if(syncs, [&](const SyncView& sync) { return sync.box().contains(at); });
    return found == syncs.end() ? nullptr : &*found;
}

std::optional<ItemRef> DisplayList::rerouteAt(QPointF at, double reach) const {
    for (const int number :
         wiresIn(QRectF(at, QSizeF(0, 0)).adjusted(-reach, -reach, reach, reach))) {
        const WireView& wire = wires[static_cast<std::size_t>(number)];
        for (std::size_t i = 0; i < wire.via.size(); ++i) {
            const QPointF way = wire.via[i] - at;
            if (QPointF::dotProduct(way, way) <= reach * reach) {
                return ItemRef{ItemRef::Kind::reroute, i, wire.wire.to};
            }
        }
    }
    return std::nullopt;
}

bool DisplayList::has(const ItemRef& item) const {
    switch (item.kind) {
    case ItemRef::Kind::frame: return item.index < frames.size();
    case ItemRef::Kind::comment: return item.index < comments.size();
    case ItemRef::Kind::reroute: break;
    }
    return std::ranges::any_of(wires, [&](const WireView& wire) {
        return wire.wire.to == item.wire && item.index < wire.via.size();
    });
}

const FrameView* DisplayList::frame(std::size_t index) const {
    return index < frames.size() ? &frames[index] : nullptr;
}

const CommentView* DisplayList::comment(std::size_t index) const {
    return index < comments.size() ? &comments[index] : nullptr;
}

} // namespace weft::ui
