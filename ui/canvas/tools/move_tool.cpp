// SPDX-License-Identifier: Apache-2.0
#include "canvas/scene/on_grid.h"
#include "canvas/tools/canvas_tool.h"
#include "canvas/view/canvas_view.h"
#include "theme/theme.h"

#include <algorithm>
#include <cmath>

namespace weft::ui {

namespace {

/// Pixels that the pointer must move before a drag begins.
constexpr double threshold = 5;

class MoveTool : public CanvasTool {
public:
    MoveTool(CanvasView& view, QPointF at, LayerId pressed)
        : CanvasTool(view), pressedAt_(at), from_(view.viewport().toScene(at)), pressed_(pressed) {}
    ~MoveTool() override {
        view_.state().guides.clear();
        view_.state().isDragging = false;
        if (isPinned(pressed_)) {
            view_.state().tag.reset();
        }
        view_.redraw();
    }

    void move(QPointF at, Qt::KeyboardModifiers modifiers) override {
        if (!isMoving_) {
            const QPointF way = at - pressedAt_;
            if (std::hypot(way.x(), way.y()) < threshold) {
                return;
            }
            isMoving_ = true;
            if (!view_.selection().has(pressed_)) {
                view_.selection().select({pressed_});
            }
            view_.document().endMerging();
            view_.state().isDragging = true;
        }
        QPointF by = view_.viewport().toScene(at) - from_;
        if ((modifiers & Qt::AltModifier) == 0) {
            by = snapped(by);
        }
        if (isPinned(pressed_)) {
            const QString name = view_.list().node(pressed_)->name;
            view_.state().tag = {view_.viewport().toScene(at),
                                 CanvasView::tr("%1 is pinned: P unpins it").arg(name), true};
            view_.redraw();
            return;
        }
        shift(by);
        view_.state().guides = guides();
        const std::optional<Wire> wire = (modifiers & Qt::AltModifier) == 0
                                             ? wireUnder(view_.viewport().toScene(at))
                                             : std::nullopt;
        if (view_.state().hoveredWire != wire) {
            view_.state().hoveredWire = wire;
            view_.redraw();
        }
    }

    void release(QPointF at, Qt::KeyboardModifiers modifiers) override {
        if (isMoving_) {
            view_.state().hoveredWire.reset();
            if (!isPinned(pressed_) && (modifiers & Qt::AltModifier) == 0) {
                insertOn(wireUnder(view_.viewport().toScene(at)));
            }
            view_.document().endMerging();
            return;
        }
        if ((modifiers & (Qt::ShiftModifier | Qt::ControlModifier)) != 0) {
            view_.selection().toggle(pressed_);
        } else {
            view_.selection().select({pressed_});
        }
    }

    void cancel() override {
        if (isMoving_) {
            shift({});
            view_.document().endMerging();
        }
    }

private:
    /// Returns the wire under a single unconnected layer, into which the layer will be inserted.
    [[nodiscard]] std::optional<Wire> wireUnder(QPointF scene) const {
        const Network& network = view_.selection().network();
        const auto isWired = [&](const Wire& wire) {
            return wire.from.layer == pressed_ || wire.to.layer == pressed_;
        };
        if (view_.selection().layers().size() != 1 || std::ranges::any_of(network.wires, isWired)) {
            return std::nullopt;
        }
        const WireView* wire = view_.list().wireAt(scene, 12 / view_.viewport().zoom);
        return wire != nullptr ? std::optional(wire->wire) : std::nullopt;
    }

    void insertOn(const std::optional<Wire>& wire) {
        const NodeView* node = view_.list().node(pressed_);
        if (!wire || node == nullptr) {
            return;
        }
        std::string input;
        std::string output;
        for (const PortView& port : node->ports) {
            std::string& first = port.isInput ? input : output;
            first = first.empty() ? port.name.toStdString() : first;
        }
        if (input.empty() || output.empty()) {
            return;
        }
        const NetworkPath path = view_.selection().path();
        view_.document().edit(
            CanvasView::tr("Insert %1").arg(node->name),
            [&](Design& design) {
                Edited edited = connect(design, path, wire->from, {pressed_, input});
                return edited.isDone() ? connect(design, path, {pressed_, output}, wire->to)
                                       : edited;
            },
            QStringLiteral("move"));
    }

    /// Returns alignment lines from the pressed layer to visible layers.
    [[nodiscard]] std::vector<QLineF> guides() const {
        const NodeView* moved = view_.list().node(pressed_);
        std::vector<QLineF> lines;
        if (moved == nullptr) {
            return lines;
        }
        const QPointF here = moved->box.center();
        for (const int number : view_.list().nodesIn(view_.camera().visibleArea())) {
            const NodeView& node = view_.list().nodes[static_cast<std::size_t>(number)];
            const QPointF there = node.box.center();
            if (view_.selection().has(node.id)) {
                continue;
            }
            if (there.x() == here.x()) {
                const double x = here.x();
                lines.emplace_back(x, std::min(moved->box.top(), node.box.top()), x,
                                   std::max(moved->box.bottom(), node.box.bottom()));
            } else if (moved->box.top() == node.box.top()) {
                const double y = node.box.top();
                lines.emplace_back(std::min(moved->box.left(), node.box.left()), y,
                                   std::max(moved->box.right(), node.box.right()), y);
            }
        }
        return lines;
    }

    /// Rounds the shift so that the pressed layer snaps to the grid.
    [[nodiscard]] QPointF snapped(QPointF by) const {
        const Layer* layer = findLayer(view_.selection().network(), pressed_);
        if (layer == nullptr) {
            return by;
        }
        const Point place = layer->position.value_or(Point{});
        const QPointF start = QPointF(place.x, place.y) - done_;
        return snappedToGrid(start + by) - start;
    }

    [[nodiscard]] bool isPinned(LayerId id) const {
        const Layer* layer = findLayer(view_.selection().network(), id);
        return layer != nullptr && layer->pinned;
    }

    /// Moves the layers by `by` from their start positions.
    void shift(QPointF by) {
        const QPointF rest = by - done_;
        if (rest.isNull()) {
            return;
        }
        std::vector<LayerId> layers = view_.selection().list();
        std::erase_if(layers, [this](LayerId layer) { return isPinned(layer); });
        const NetworkPath path = view_.selection().path();
        view_.document().edit(
            CanvasView::tr("Move"),
            [&](Design& design) {
                return moveLayers(design, path, layers, {rest.x(), rest.y()});
            },
            QStringLiteral("move"));
        done_ = by;
    }

    QPointF pressedAt_; ///< in the view's pixels
    QPointF from_;      ///< in the design's units
    LayerId pressed_;
    QPointF done_;
    bool isMoving_ = false;
};

} // namespace

std::unique_ptr<CanvasTool> makeMoveTool(CanvasView& view, QPointF at, LayerId pressed) {
    return std::make_unique<MoveTool>(view, at, pressed);
}

} // namespace weft::ui
