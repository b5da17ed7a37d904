// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/canvas_view.h"
#include "canvas/reroute.h"
#include "canvas/tools/canvas_tool.h"
#include "canvas/wire_shape.h"

#include <cmath>

namespace weft::ui {

namespace {

QString noteMerge() { return QStringLiteral("move note"); }

/// What a drag has done so far is one step of the history, which is begun with it.
class NoteTool : public CanvasTool {
public:
    NoteTool(CanvasView& view, QPointF at, NoteRef note, bool isMade)
        : CanvasTool(view), from_(view.sceneOf(at)), note_(std::move(note)), isMade_(isMade) {
        if (!isMade_) {
            view_.document().endMerging();
        }
        if (note_.kind == NoteRef::Kind::reroute) {
            const Network& network = view_.selection().network();
            const Point start =
                std::ranges::find(network.wires, note_.wire, &Wire::to)->via[note_.index];
            start_ = QPointF(start.x, start.y);
        }
        view_.selectNote(note_);
    }

    void move(QPointF at, Qt::KeyboardModifiers modifiers) override {
        QPointF by = view_.sceneOf(at) - from_;
        if (start_ && (modifiers & Qt::AltModifier) == 0) {
            const double grid = tokens().sizes.space.grid;
            const QPointF to = *start_ + by;
            by = QPointF(std::round(to.x() / grid) * grid, std::round(to.y() / grid) * grid) -
                 *start_;
        }
        shift(by);
    }
    void release(QPointF, Qt::KeyboardModifiers) override { view_.document().endMerging(); }
    void cancel() override {
        shift({});
        if (isMade_) {
            const NetworkPath path = view_.selection().path();
            view_.document().edit(
                name(), [&](Design& design) { return removeReroute(design, path, note_); },
                noteMerge());
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
        const std::size_t index = note_.index;
        view_.document().edit(
            name(),
            [&](Design& design) {
                if (note_.kind == NoteRef::Kind::frame) {
                    return moveFrame(design, path, index, {rest.x(), rest.y()});
                }
                if (note_.kind == NoteRef::Kind::reroute) {
                    return led(design, path, note_.wire, [&](std::vector<Point>& via) {
                        via[index] = {via[index].x + rest.x(), via[index].y + rest.y()};
                    });
                }
                Comment comment = networkAt(design, path).comments[index];
                comment.position.x += rest.x();
                comment.position.y += rest.y();
                return setComment(design, path, index, comment);
            },
            noteMerge());
        done_ = by;
    }

    [[nodiscard]] QString name() const {
        switch (note_.kind) {
        case NoteRef::Kind::frame: return CanvasView::tr("Move frame");
        case NoteRef::Kind::comment: return CanvasView::tr("Move comment");
        case NoteRef::Kind::reroute: break;
        }
        return CanvasView::tr("Lead wire");
    }

    QPointF from_;
    NoteRef note_;
    bool isMade_;                  ///< by the press that this is
    std::optional<QPointF> start_; ///< of a reroute point, which keeps to the grid
    QPointF done_;
};

class ResizeTool : public CanvasTool {
public:
    ResizeTool(CanvasView& view, QPointF at, std::size_t frame, Qt::Edges edges)
        : CanvasTool(view),
          from_(view.sceneOf(at)),
          index_(frame),
          edges_(edges),
          before_(view.selection().network().frames[frame]) {
        view_.document().endMerging();
        view_.selectNote(NoteRef{NoteRef::Kind::frame, frame});
    }

    void move(QPointF at, Qt::KeyboardModifiers) override { resize(view_.sceneOf(at) - from_); }
    void release(QPointF, Qt::KeyboardModifiers) override { view_.document().endMerging(); }
    void cancel() override {
        set(before_);
        view_.document().endMerging();
    }

private:
    void resize(QPointF by) {
        constexpr double least = 64;
        const double grid = tokens().sizes.space.grid;
        const auto snapped = [&](double at) { return std::round(at / grid) * grid; };
        QRectF box(before_.topLeft.x, before_.topLeft.y, before_.size.x, before_.size.y);
        if ((edges_ & Qt::LeftEdge) != 0) {
            box.setLeft(std::min(snapped(box.left() + by.x()), box.right() - least));
        }
        if ((edges_ & Qt::RightEdge) != 0) {
            box.setRight(std::max(snapped(box.right() + by.x()), box.left() + least));
        }
        if ((edges_ & Qt::BottomEdge) != 0) {
            box.setBottom(std::max(snapped(box.bottom() + by.y()), box.top() + least));
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

std::unique_ptr<CanvasTool> makeNoteTool(CanvasView& view, QPointF at, NoteRef note) {
    return std::make_unique<NoteTool>(view, at, std::move(note), false);
}

std::unique_ptr<CanvasTool> makeRerouteTool(CanvasView& view, QPointF at, const WireView& wire) {
    const QPointF scene = view.sceneOf(at);
    const Endpoint to = wire.wire.to;
    const std::size_t place =
        pointsBefore(wire.line.front(), wire.via, wire.line.back(), Flow::down, scene);
    const NetworkPath path = view.selection().path();
    view.document().endMerging();
    const Edited made = view.document().edit(
        CanvasView::tr("Lead wire"),
        [&](Design& design) {
            return led(design, path, to, [&](std::vector<Point>& via) {
                via.insert(via.begin() + static_cast<std::ptrdiff_t>(place),
                           {scene.x(), scene.y()});
            });
        },
        noteMerge());
    return made.isDone() ? std::make_unique<NoteTool>(
                               view, at, NoteRef{NoteRef::Kind::reroute, place, to}, true)
                         : nullptr;
}

std::unique_ptr<CanvasTool> makeResizeTool(CanvasView& view, QPointF at, std::size_t frame,
                                           Qt::Edges edges) {
    return std::make_unique<ResizeTool>(view, at, frame, edges);
}

} // namespace weft::ui
