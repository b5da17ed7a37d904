// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the pointer does from press to release: one state, one file. Positions are logical pixels of
// the view.

#include "canvas/display_list.h"

#include <QPointF>
#include <Qt>
#include <memory>

namespace weft::ui {

class CanvasView;

class CanvasTool {
public:
    explicit CanvasTool(CanvasView& view) : view_(view) {}
    virtual ~CanvasTool() = default;
    CanvasTool(const CanvasTool&) = delete;
    CanvasTool& operator=(const CanvasTool&) = delete;

    virtual void move(QPointF at, Qt::KeyboardModifiers modifiers) = 0;
    virtual void release(QPointF at, Qt::KeyboardModifiers modifiers) = 0;
    /// Escape: as if it had never begun.
    virtual void cancel() {}
    /// Whether the view moves along when the pointer comes near its border.
    [[nodiscard]] virtual bool pansAtBorder() const { return true; }

protected:
    CanvasView& view_;
};

/// What a button that goes down begins.
struct Press {
    QPointF at;
    Qt::MouseButton button = Qt::LeftButton;
    Qt::KeyboardModifiers modifiers = {};
    bool isHand = false;  ///< Space is held
    bool isKnife = false; ///< Y is held
};
/// nullptr: nothing.
std::unique_ptr<CanvasTool> toolFor(CanvasView& view, const Press& press);

/// A press that has not moved five pixels yet selects; then it moves what is selected.
std::unique_ptr<CanvasTool> makeMoveTool(CanvasView& view, QPointF at, LayerId pressed);
/// A box, or a lasso with Ctrl and Alt; Shift adds, Ctrl takes away.
std::unique_ptr<CanvasTool> makeBandTool(CanvasView& view, QPointF at);
std::unique_ptr<CanvasTool> makePanTool(CanvasView& view, QPointF at);
/// Up zooms in, down zooms out, about where it began.
std::unique_ptr<CanvasTool> makeZoomTool(CanvasView& view, QPointF at);
/// Takes off every wire that the line crosses.
std::unique_ptr<CanvasTool> makeCutTool(CanvasView& view, QPointF at);
/// Assigns what the brush holds to every layer that it touches, as one step.
std::unique_ptr<CanvasTool> makeBrushTool(CanvasView& view, Brush brush, QPointF at);
/// A wire from a port; `isMoved`: those that are there are taken off and moved.
std::unique_ptr<CanvasTool> makeWireTool(CanvasView& view, Endpoint from, bool fromOutput,
                                         bool isMoved);
/// Selects a frame, comment or reroute point and moves it; a frame with all that is in it.
std::unique_ptr<CanvasTool> makeItemTool(CanvasView& view, QPointF at, ItemRef item);
/// Leads the wire through the place and moves the new point along.
std::unique_ptr<CanvasTool> makeRerouteTool(CanvasView& view, QPointF at, const WireView& wire);
/// Moves these edges of a frame, which then holds what lies within it.
std::unique_ptr<CanvasTool> makeResizeTool(CanvasView& view, QPointF at, std::size_t frame,
                                           Qt::Edges edges);
/// The edges of a frame that are within reach of a point.
[[nodiscard]] Qt::Edges edgesAt(const FrameView& frame, QPointF scene, double reach);
/// Mends what is wrong with a layer, where the button is let go over the fix too.
std::unique_ptr<CanvasTool> makeFixTool(CanvasView& view, LayerId layer);

} // namespace weft::ui
