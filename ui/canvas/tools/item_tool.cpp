// SPDX-License-Identifier: Apache-2.0
#include "canvas/scene/on_grid.h"
#include "canvas/scene/reroute.h"
#include "canvas/scene/wire_shape.h"
#include "canvas/tools/canvas_tool.h"
#include "canvas/view/canvas_view.h"

#include <cmath>

namespace weft::ui {

namespace {

QString itemMerge() { return QStringLiteral("move item"); }

/// The whole drag is one undo step, which begins with the tool.
class ItemTool : public CanvasTool {
public:
    ItemTool(CanvasView& view, QPointF at, ItemRef item, bool isMade)
        : CanvasTool(view),
          from_(view.viewport().toScene(at)),
          item_(std::move(item)),
          isMade_(isMade) {
        if (!isMade_) {
            view_.document().endMerging();
        }
        if (item_.kind == ItemRef::Kind::reroute) {
            const Network& network = view_.selection().network();
            const Point start =
                std::ranges::find(network.wires, item_.wire, &Wire::to)->via[item_.index];
            start_ = QPointF(start.x, start.y);
        }
        view_.selectItem(item_);
    }

    void move(QPointF at, Qt::KeyboardModifiers modifiers) override {
        QPointF by = view_.viewport().toScene(at) - from_;
        if (start_ && (modifiers & Qt::AltModifier) == 0) {
            by = snappedToGrid(*start_ + by) - *start_;
        }
        shift(by);
    }
    void release(QPointF, Qt::KeyboardModifiers) override { view_.document().endMerging(); }
    void cancel() override {
        shift({});
        if (isMade_) {
            const NetworkPath path = view_.selection().path();
            view_.document().edit(
                name(), [&](Design& design) { return removeReroute(design, path, item_); },
                itemMerge());
        }
        view_.document().endMerging();
    }

private:
    void shift(QPointF by) {
        const QPointF rest = by - done_;
        if (rest.isNull()) {
            return;
        }
        const NetworkPath path = view_.selection().path();
        const std::size_t index = item_.index;
        view_.document().edit(
            name(),
            [&](Design& design) {
                if (item_.kind == ItemRef::Kind::frame) {
                    return moveFrame(design, path, index, {rest.x(), rest.y()});
                }
                if (item_.kind == ItemRef::Kind::reroute) {
                    return editReroutes(design, path, item_.wire, [&](std::vector<Point>& via) {
                        via[index] = {via[index].x + rest.x(), via[index].y + rest.y()};
                    });
                }
                Comment comment = networkAt(design, path).comments[index];
                comment.position.x += rest.x();
                comment.position.y += rest.y();
                return setComment(design, path, index, comment);
            },
            itemMerge());
        done_ = by;
    }

    [[nodiscard]] QString name() const {
        switch (item_.kind) {
        case ItemRef::Kind::frame: return CanvasView::tr("Move frame");
        case ItemRef::Kind::comment: return CanvasView::tr("Move comment");
        case ItemRef::Kind::reroute: break;
        }
        return CanvasView::tr("Route wire");
    }

    QPointF from_;
    ItemRef item_;
    bool isMade_;                  ///< created by this press
    std::optional<QPointF> start_; ///< start of a reroute point, which snaps to the grid
    QPointF done_;
};

class ResizeTool : public CanvasTool {
public:
    ResizeTool(CanvasView& view, QPointF at, std::size_t frame, Qt::Edges edges)
        : CanvasTool(view),
          from_(view.viewport().toScene(at)),
          index_(frame),
          edges_(edges),
          before_(view.selection().network().frames[frame]) {
        view_.document().endMerging();
        view_.selectItem(ItemRef{ItemRef::Kind::frame, frame});
    }

    void move(QPointF at, Qt::KeyboardModifiers) override {
        resize(view_.viewport().toScene(at) - from_);
    }
    void release(QPointF, Qt::KeyboardModifiers) override { view_.document().endMerging(); }
    void cancel() override {
        set(before_);
        view_.document().endMerging();
    }

private:
    void resize(QPointF by) {
        constexpr double least = 64;
        QRectF box(before_.topLeft.x, before_.topLeft.y, before_.size.x, before_.size.y);
        if ((edges_ & Qt::LeftEdge) != 0) {
            box.setLeft(std::min(snappedToGrid(box.left() + by.x()), box.right() - least));
        }
        if ((edges_ & Qt::RightEdge) != 0) {
            box.setRight(std::max(snappedToGrid(box.right() + by.x()), box.left() + least));
        }
        if ((edges_ & Qt::BottomEdge) != 0) {
            box.setBottom(std::max(snappedToGrid(box.bottom() + by.y()), box.top() + least));
        }
        Frame frame = before_;
        frame.topLeft = {box.left(), box.top()};
        frame.size = {box.width(), box.height()};
        frame.layers.clear();
        for (const NodeView& node : view_.list().nodes) {
            if (box.contains(node.box)) {
                frame.layers.push_back(node.id);
            }
        }
        set(frame);
    }

    void set(const Frame& frame) {
        const NetworkPath path = view_.selection().path();
        view_.document().edit(
            CanvasView::tr("Resize frame"),
            [&](Design& design) { return setFrame(design, path, index_, frame); },
            QStringLiteral("resize frame"));
    }

    QPointF from_;
    std::size_t index_;
    Qt::Edges edges_;
    Frame before_;
};

} // namespace

Qt::Edges edgesAt(const FrameView& frame, QPointF scene, double reach) {
    const QRectF& box = frame.box;
    if (!box.adjusted(-reach, 0, reach, reach).contains(scene)) {
        return {};
    }
    Qt::Edges edges;
    edges.setFlag(Qt::LeftEdge, std::abs(scene.x() - box.left()) <= reach);
    edges.setFlag(Qt::RightEdge, std::abs(scene.x() - box.right()) <= reach);
    edges.setFlag(Qt::BottomEdge, std::abs(scene.y() - box.bottom()) <= reach);
    return edges;
}

std::unique_ptr<CanvasTool> makeItemTool(CanvasView& view, QPointF at, ItemRef item) {
    return std::make_unique<ItemTool>(view, at, std::move(item), false);
}

std::unique_ptr<CanvasTool> makeRerouteTool(CanvasView& view, QPointF at, const WireView& wire) {
    const QPointF scene = view.viewport().toScene(at);
    const Endpoint to = wire.wire.to;
    const std::size_t place =
        reroutesBefore(wire.line.front(), wire.via, wire.line.back(), Flow::down, scene);
    const NetworkPath path = view.selection().path();
    view.document().endMerging();
    const Edited made = view.document().edit(
        CanvasView::tr("Route wire"),
        [&](Design& design) {
            return editReroutes(design, path, to, [&](std::vector<Point>& via) {
                via.insert(via.begin() + static_cast<std::ptrdiff_t>(place),
                           {scene.x(), scene.y()});
            });
        },
        itemMerge());
    return made.isDone() ? std::make_unique<ItemTool>(
                               view, at, ItemRef{ItemRef::Kind::reroute, place, to}, true)
                         : nullptr;
}

std::unique_ptr<CanvasTool> makeResizeTool(CanvasView& view, QPointF at, std::size_t frame,
                                           Qt::Edges edges) {
    return std::make_unique<ResizeTool>(view, at, frame, edges);
}

} // namespace weft::ui
