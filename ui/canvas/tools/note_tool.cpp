// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/canvas_view.h"
#include "canvas/tools/canvas_tool.h"

#include <cmath>

namespace weft::ui {

namespace {

/// What a drag has done so far is one step of the history, which is begun with it.
class NoteTool : public CanvasTool {
public:
    NoteTool(CanvasView& view, QPointF at, NoteRef note)
        : CanvasTool(view), from_(view.sceneOf(at)), note_(note) {
        view_.document().endMerging();
        view_.selectNote(note);
    }

    void move(QPointF at, Qt::KeyboardModifiers) override { shift(view_.sceneOf(at) - from_); }
    void release(QPointF, Qt::KeyboardModifiers) override { view_.document().endMerging(); }
    void cancel() override {
        shift({});
        view_.document().endMerging();
    }

private:
    void shift(QPointF by) {
        const QPointF rest = by - done_;
        if (rest.isNull()) {
            return;
        }
        const NetworkPath path = view_.selection().path();
        const bool isFrame = note_.kind == NoteRef::Kind::frame;
        view_.document().edit(
            isFrame ? CanvasView::tr("Move frame") : CanvasView::tr("Move comment"),
            [&](Design& design) {
                if (isFrame) {
                    return moveFrame(design, path, note_.index, {rest.x(), rest.y()});
                }
                Comment comment = networkAt(design, path).comments[note_.index];
                comment.position.x += rest.x();
                comment.position.y += rest.y();
                return setComment(design, path, note_.index, comment);
            },
            QStringLiteral("move note"));
        done_ = by;
    }

    QPointF from_;
    NoteRef note_;
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
    return std::make_unique<NoteTool>(view, at, note);
}

std::unique_ptr<CanvasTool> makeResizeTool(CanvasView& view, QPointF at, std::size_t frame,
                                           Qt::Edges edges) {
    return std::make_unique<ResizeTool>(view, at, frame, edges);
}

} // namespace weft::ui
