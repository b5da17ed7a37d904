// SPDX-License-Identifier: Apache-2.0
#include "canvas/lenses/difference.h"

#include "canvas/page/live_feed.h"
#include "widgets/shapes.h"

#include <QPainter>
#include <algorithm>
#include <set>

namespace weft::ui {

namespace {

/// Returns the nearest upstream layer that still exists.
LayerId feederOf(const DisplayList& list, const Network& network, LayerId layer) {
    std::set<LayerId> seen;
    while (list.node(layer) == nullptr && seen.insert(layer).second) {
        const auto wire = std::ranges::find_if(
            network.wires, [&](const Wire& one) { return one.to.layer == layer; });
        if (wire == network.wires.end()) {
            break;
        }
        layer = wire->from.layer;
    }
    return layer;
}

} // namespace

Difference::Difference()
    : Lens({"difference", QObject::tr("Difference"),
            QObject::tr("Marks what has changed since another design")}) {}

void Difference::compare(const Design& before, const Design& now, const NetworkPath& path) {
    stop();
    before_ = before;
    for (const Change& change : diff(before, now)) {
        if (change.layer.isNone() || change.network != path.group) {
            otherChanges_ << QString::fromStdString(change.text);
        } else if (change.sort == ChangeSort::removed) {
            gone_.push_back(change.layer);
        } else {
            changes_.emplace(change.layer, change.sort);
        }
    }
}

void Difference::stop() {
    changes_.clear();
    gone_.clear();
    otherChanges_.clear();
    removed_.clear();
}

void Difference::fill(LiveFeed& feed, LiveNodes& nodes) {
    for (const auto& [id, change] : changes_) {
        nodes[id].change = change;
    }
    std::vector<Removed> now = gone_.empty() ? std::vector<Removed>() : removed(feed);
    if (now != removed_) {
        removed_ = std::move(now);
        feed.view().update();
    }
}

std::vector<Difference::Removed> Difference::removed(LiveFeed& feed) const {
    std::vector<Removed> nodes;
    CanvasView& view = feed.view();
    const Network& network = networkAt(before_, view.selection().path());
    const Sizes::Size& size = tokens().sizes.size;
    std::map<LayerId, int> beside;
    for (const LayerId id : gone_) {
        const Layer* layer = findLayer(network, id);
        if (layer == nullptr) {
            continue;
        }
        const Point place = layer->position.value_or(Point{});
        QRectF box(place.x, place.y, size.nodeWidth, size.nodeCompact);
        if (view.state().isRun) {
            // If the layout has left no room at its old position, the removed layer is shown beside
            // its former input.
            const LayerId feeder = feederOf(view.list(), network, id);
            if (const NodeView* node = view.list().node(feeder)) {
                const double down = (size.nodeCompact + tokens().sizes.space.m) * beside[feeder]++;
                box.moveTopLeft(node->box.topRight() + QPointF(tokens().sizes.space.xl, down));
            }
        }
        nodes.push_back({QString::fromStdString(layer->name), box});
    }
    return nodes;
}

void Difference::drawNode(QPainter& painter, const LiveScene& scene, int number,
                          const LiveNode& live) {
    if (live.change) {
        const NodeView& node = scene.list.nodes[static_cast<std::size_t>(number)];
        drawChange(painter, scene, scene.at.toDevice(node.box), *live.change);
    }
}

void Difference::drawChange(QPainter& painter, const LiveScene& scene, const QRect& box,
                            ChangeSort change) {
    const Theme& theme = scene.theme;
    const QColor& colour = change == ChangeSort::added     ? theme.semantic.ok
                           : change == ChangeSort::removed ? theme.semantic.error
                                                           : theme.semantic.info;
    const QString sign = change == ChangeSort::added     ? QStringLiteral("+")
                         : change == ChangeSort::removed ? QString(QChar(0x2212))
                                                         : QString(QChar(0x0394));
    const QPointF centre = drawMark(painter, scene, box, colour);
    const double px = tokens().sizes.type.small * scene.at.ratio;
    text_.draw(painter, centre + QPointF(0, px * 0.36), sign, TextRole::sansSemibold, px, colour,
               TextAlign::centre);
}

void Difference::drawOver(QPainter& painter, const QRect& exposed, const LiveScene& scene,
                          const LiveNodes& /*nodes*/) {
    for (const Removed& node : removed_) {
        const QRect box = scene.at.toDevice(node.box);
        if (!box.adjusted(-rim, -rim, rim, rim).intersects(exposed)) {
            continue;
        }
        const int line = scene.at.fixed(1);
        drawRing(painter, box, scene.at.px(tokens().sizes.radius.node), scene.theme.text.tertiary,
                 line);
        if (!scene.at.isFar()) {
            const double px = tokens().sizes.type.small * scene.at.ratio;
            const int inset = scene.at.px(8);
            text_.draw(painter, QPointF(box.left() + inset, box.top() + px * 1.4),
                       text_.elided(node.name, TextRole::sansMedium, px, box.width() - 2 * inset),
                       TextRole::sansMedium, px, scene.theme.text.secondary);
        }
        drawChange(painter, scene, box, ChangeSort::removed);
    }
}

} // namespace weft::ui
