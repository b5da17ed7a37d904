// SPDX-License-Identifier: Apache-2.0
#include "canvas/live/lens.h"
#include "canvas/page/live_feed.h"
#include "widgets/shapes.h"

#include <QPainter>
#include <algorithm>

namespace weft::ui::lenses {

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

/// Lens that marks what has changed since another design (LiveFeed::comparedDesign).
class Difference : public Lens {
public:
    using Lens::Lens;

    void start(LiveFeed& feed) override {
        path_ = feed.design().selection().path();
        for (const Change& change :
             diff(feed.comparedDesign(), feed.design().document().design())) {
            if (change.layer.isNone() || change.network != path_.group) {
                otherChanges_ << QString::fromStdString(change.text);
            } else if (change.sort == ChangeSort::removed) {
                gone_.push_back(change.layer);
            } else {
                changes_.emplace(change.layer, change.sort);
            }
        }
    }

    void stop() override {
        changes_.clear();
        gone_.clear();
        otherChanges_.clear();
        removed_.clear();
    }

    /// Lists changes that no node shows: settings, data and the insides of groups.
    [[nodiscard]] QStringList captionLines() const override {
        return otherChanges_.isEmpty() ? QStringList{QObject::tr("Settings and data are the same.")}
                                       : otherChanges_;
    }

    void fill(LiveFeed& feed, LiveNodes& nodes) override {
        std::vector<Removed> now;
        if (feed.design().selection().path() == path_) {
            for (const auto& [id, change] : changes_) {
                nodes[id].change = change;
            }
            now = gone_.empty() ? std::vector<Removed>() : removed(feed);
        }
        if (now != removed_) {
            removed_ = std::move(now);
            feed.view().redraw();
        }
    }

    [[nodiscard]] Dimming dimming() const override {
        return removed_.empty() ? Dimming::allButEmphasised : Dimming::all;
    }
    [[nodiscard]] bool isEmphasised(const LiveNode& node) const override {
        return node.change.has_value();
    }
    [[nodiscard]] bool drawsTimes() const override { return false; }

    void drawNode(QPainter& painter, const LiveScene& scene, int number,
                  const LiveNode& live) override {
        if (live.change) {
            const NodeView& node = scene.list.nodes[static_cast<std::size_t>(number)];
            drawChange(painter, scene, scene.viewport.toDevice(node.box), *live.change);
        }
    }

    void drawAboveNodes(QPainter& painter, const QRect& exposed, const LiveScene& scene,
                        const LiveNodes& /*nodes*/) override {
        for (const Removed& node : removed_) {
            const QRect box = scene.viewport.toDevice(node.box);
            if (!box.adjusted(-markMargin, -markMargin, markMargin, markMargin)
                     .intersects(exposed)) {
                continue;
            }
            const int line = scene.viewport.fixed(1);
            drawRing(painter, box, scene.viewport.px(tokens().sizes.radius.node),
                     scene.theme.text.tertiary, line);
            if (!scene.viewport.isFar()) {
                const double px = tokens().sizes.type.small * scene.viewport.ratio;
                const int inset = scene.viewport.px(8);
                text_.draw(painter, QPointF(box.left() + inset, box.top() + px * 1.4),
                           text_.elidedInMiddle(node.name, TextRole::sansMedium, px,
                                                box.width() - 2 * inset),
                           TextRole::sansMedium, px, scene.theme.text.secondary);
            }
            drawChange(painter, scene, box, ChangeSort::removed);
        }
    }

private:
    /// A layer that exists only in the design to compare with.
    struct Removed {
        QString name;
        QRectF box;
        bool operator==(const Removed&) const = default;
    };

    [[nodiscard]] std::vector<Removed> removed(LiveFeed& feed) const {
        std::vector<Removed> nodes;
        CanvasView& view = feed.view();
        const Network& network = networkAt(feed.comparedDesign(), path_);
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
                // If the layout has left no room at its old position, the removed layer is shown
                // beside its former input.
                const LayerId feeder = feederOf(view.list(), network, id);
                if (const NodeView* node = view.list().node(feeder)) {
                    const double down =
                        (size.nodeCompact + tokens().sizes.space.m) * beside[feeder]++;
                    box.moveTopLeft(node->box.topRight() + QPointF(tokens().sizes.space.xl, down));
                }
            }
            nodes.push_back({QString::fromStdString(layer->name), box});
        }
        return nodes;
    }

    void drawChange(QPainter& painter, const LiveScene& scene, const QRect& box,
                    ChangeSort change) {
        const Theme& theme = scene.theme;
        const QColor& colour = change == ChangeSort::added     ? theme.semantic.ok
                               : change == ChangeSort::removed ? theme.semantic.error
                                                               : theme.semantic.info;
        const QString sign = change == ChangeSort::added     ? QStringLiteral("+")
                             : change == ChangeSort::removed ? QString(QChar(0x2212))
                                                             : QString(QChar(0x0394));
        const QPointF centre = drawMark(painter, scene, box, colour);
        const double px = tokens().sizes.type.small * scene.viewport.ratio;
        text_.draw(painter, centre + QPointF(0, px * 0.36), sign, TextRole::sansSemibold, px,
                   colour, TextAlign::centre);
    }

    NetworkPath path_; ///< the network that was compared
    std::map<LayerId, ChangeSort> changes_;
    std::vector<LayerId> gone_;
    QStringList otherChanges_;
    std::vector<Removed> removed_;
};

} // namespace

void difference(LensList& list) {
    list.lenses.push_back(std::make_unique<Difference>(
        LensInfo{.id = "difference",
                 .title = QObject::tr("Difference"),
                 .help = QObject::tr("Marks the layers that differ from another design"),
                 .hasCommand = false}));
}

} // namespace weft::ui::lenses
