// SPDX-License-Identifier: Apache-2.0
#include "canvas/page/lay_out.h"

#include "canvas/page/canvas_page.h"
#include "canvas/scene/on_grid.h"
#include "layout/layered_layout.h"

#include <QShortcut>
#include <map>
#include <thread>

namespace weft::ui {

namespace {

/// A layout in progress. The page owns it, so closing the page stops the layout.
class LayOut : public QObject {
public:
    LayOut(CanvasPage& page, const std::vector<LayerId>& layers)
        : QObject(&page), page_(page), revision_(page.design().document().revision()) {
        const DisplayList& list = page.view().list();
        std::map<LayerId, int> numbers;
        std::vector<const NodeView*> drawn;
        for (const NodeView& node : list.nodes) {
            const bool isMeant =
                layers.size() <= 1 || std::ranges::find(layers, node.id) != layers.end();
            if (node.isPinned || !isMeant) {
                continue;
            }
            numbers.emplace(node.id, static_cast<int>(layers_.size()));
            layers_.push_back(node.id);
            drawn.push_back(&node);
            graph_.sizes.push_back(node.box.size());
            graph_.below.push_back(0);
            before_ |= node.box;
        }
        for (const WireView& wire : list.wires) {
            const auto from = numbers.find(wire.wire.from.layer);
            const auto to = numbers.find(wire.wire.to.layer);
            if (from == numbers.end() || to == numbers.end()) {
                continue;
            }
            const NodeView& lower = *drawn[static_cast<std::size_t>(to->second)];
            graph_.edges.push_back({from->second, to->second, portOf(lower, wire.wire.to.port)});
            // Space for a badge between two nodes.
            constexpr double badgeRoom = 64;
            if (wire.badge >= 0) {
                graph_.below[static_cast<std::size_t>(from->second)] = badgeRoom;
            }
        }
        for (const SyncView& sync : list.syncs) {
            const double syncRoom =
                sync.form.isEmpty() ? 88 : 88 + 16 + tokens().sizes.size.dictionary;
            if (const auto layer = numbers.find(sync.layer); layer != numbers.end()) {
                graph_.below[static_cast<std::size_t>(layer->second)] = syncRoom;
            }
        }
        settings_.aspect = static_cast<double>(page.width()) / std::max(1, page.view().height());
        settings_.grid = tokens().sizes.space.grid;
    }
    ~LayOut() override {
        for (QShortcut* key : page_.view().findChildren<QShortcut*>()) {
            delete key;
        }
    }

    void begin() {
        connect(new QShortcut(QKeySequence(Qt::Key_Escape), &page_.view(), nullptr, nullptr,
                              Qt::WidgetShortcut),
                &QShortcut::activated, this, &QObject::deleteLater);
        thread_ = std::jthread([this](const std::stop_token& stop) {
            const std::vector<QPointF> places = layeredLayout(graph_, settings_, stop);
            QMetaObject::invokeMethod(
                this, [this, places] { take(places); }, Qt::QueuedConnection);
        });
    }
    void finish() { take(layeredLayout(graph_, settings_, std::stop_token())); }

private:
    /// Returns the port's distance from the left edge of its node.
    static double portOf(const NodeView& node, const std::string& name) {
        for (const PortView& port : node.ports) {
            if (port.isInput && port.name == QString::fromStdString(name)) {
                return port.at.x() - node.box.left();
            }
        }
        return 0;
    }

    void take(const std::vector<QPointF>& places) {
        if (places.size() == layers_.size() && page_.design().document().revision() == revision_) {
            // Centres the new layout where the old one was.
            QRectF after;
            for (std::size_t i = 0; i < places.size(); ++i) {
                after |= QRectF(places[i], graph_.sizes[i]);
            }
            const QPointF by = before_.center() - after.center();
            std::vector<Point> positions;
            for (const QPointF& place : places) {
                const QPointF at = snappedToGrid(place + by);
                positions.push_back({at.x(), at.y()});
            }
            // Records the change as part of the command that started the layout.
            page_.context().commands.recordAs({}, [&] { put(positions); });
            page_.view().camera().frameAll();
        }
        deleteLater();
    }

    void put(const std::vector<Point>& positions) {
        const NetworkPath path = page_.design().selection().path();
        page_.design().document().edit(CanvasPage::tr("Lay out"), [&](Design& design) {
            // Removes the reroute points of wires between moved layers.
            const std::vector<Wire> wires = networkAt(design, path).wires;
            for (const Wire& wire : wires) {
                if (!wire.via.empty() && (isPlaced(wire.to.layer) || isPlaced(wire.from.layer))) {
                    setVia(design, path, wire.to, {});
                }
            }
            return placeLayers(design, path, layers_, positions);
        });
    }

    [[nodiscard]] bool isPlaced(LayerId layer) const {
        return std::ranges::find(layers_, layer) != layers_.end();
    }

    CanvasPage& page_;
    std::uint64_t revision_;
    std::vector<LayerId> layers_;
    LayoutGraph graph_;
    LayoutSettings settings_;
    QRectF before_;
    std::jthread thread_; ///< last member: stops before the data that it reads are destroyed
};

} // namespace

void layOutNetwork(CanvasPage& page, const std::vector<LayerId>& layers, bool isAtOnce) {
    if (page.view().list().nodes.empty()) {
        return;
    }
    auto* work = new LayOut(page, layers);
    isAtOnce ? work->finish() : work->begin();
}

} // namespace weft::ui
