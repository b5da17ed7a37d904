// SPDX-License-Identifier: Apache-2.0
#include "canvas/live/lens.h"
#include "canvas/page/live_feed.h"
#include "runs/step_analysis.h"
#include "widgets/shapes.h"

#include <QPainter>

namespace weft::ui::lenses {

namespace {

/// The critical path of the shown step: borders and wires in ink.
class Critical : public Lens {
public:
    using Lens::Lens;

    void takeStep(const Timeline& step) override {
        names_.clear();
        for (const CriticalSpan& span : criticalPath(step)) {
            names_.insert(span.layer);
        }
    }

    void fill(LiveFeed& feed, LiveNodes& nodes) override {
        for (const std::string& name : names_) {
            if (const LayerId layer = feed.layerNamed(name); !layer.isNone()) {
                nodes[layer].isCritical = true;
            }
        }
    }

    [[nodiscard]] Dimming dimming() const override { return Dimming::allButEmphasised; }
    [[nodiscard]] bool isEmphasised(const LiveNode& node) const override { return node.isCritical; }

    void drawAboveNodes(QPainter& painter, const QRect& exposed, const LiveScene& scene,
                        const LiveNodes& nodes) override {
        const auto isCritical = [&](LayerId layer) {
            const auto found = nodes.find(layer);
            return found != nodes.end() && found->second.isCritical;
        };
        constexpr int criticalLine = 3;
        const QColor& ink = scene.theme.accent.ink;
        const int line = scene.viewport.fixed(criticalLine);
        for (const WireView& wire : scene.list.wires) {
            if (!isCritical(wire.wire.from.layer) || !isCritical(wire.wire.to.layer) ||
                !scene.viewport.toDevice(wire.box)
                     .adjusted(-markMargin, -markMargin, markMargin, markMargin)
                     .intersects(exposed)) {
                continue;
            }
            QPolygonF points;
            for (const QPointF& point : wire.line) {
                points << scene.viewport.toDevice(point);
            }
            painter.setPen(ink);
            painter.setRenderHint(QPainter::Antialiasing, true);
            drawThick(painter, points, line);
            painter.setRenderHint(QPainter::Antialiasing, false);
        }
        for (const auto& [id, live] : nodes) {
            const NodeView* node = live.isCritical ? scene.list.node(id) : nullptr;
            const QRect box = node == nullptr ? QRect() : scene.viewport.toDevice(node->box);
            if (box.adjusted(-markMargin, -markMargin, markMargin, markMargin)
                    .intersects(exposed)) {
                // Drawn on the border, to keep clear of the name.
                drawRing(painter, box.adjusted(-1, -1, 1, 1),
                         scene.viewport.px(tokens().sizes.radius.node), ink, line);
            }
        }
    }

private:
    std::set<std::string> names_;
};

} // namespace

void critical(LensList& list) {
    list.lenses.push_back(std::make_unique<Critical>(
        LensInfo{"critical", QObject::tr("Critical path"),
                 QObject::tr("Highlights the chain of layers that determines the step time")}));
}

} // namespace weft::ui::lenses
