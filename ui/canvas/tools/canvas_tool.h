// SPDX-License-Identifier: Apache-2.0
#pragma once
// A tool handles the pointer from press to release; one file per tool. Positions are logical pixels
// of the view.

#include "canvas/scene/display_list.h"

#include <QPointF>
#include <Qt>
#include <memory>

namespace weft::ui {

class CanvasView;
struct Brush;

class CanvasTool {
public:
    explicit CanvasTool(CanvasView& view) : view_(view) {}
    virtual ~CanvasTool() = default;
    CanvasTool(const CanvasTool&) = delete;
    CanvasTool& operator=(const CanvasTool&) = delete;

    virtual void move(QPointF at, Qt::KeyboardModifiers modifiers) = 0;
    virtual void release(QPointF at, Qt::KeyboardModifiers modifiers) = 0;
    virtual void cancel() {} ///< escape: restores the state before the press
    /// True if the view pans when the pointer comes near its border.
    [[nodiscard]] virtual bool pansAtBorder() const { return true; }

protected:
    CanvasView& view_;
};

/// A press of a mouse button, with the held keys.
struct Press {
    QPointF at;
    Qt::MouseButton button = Qt::LeftButton;
    Qt::KeyboardModifiers modifiers = {};
    bool isHand = false;  ///< Space is held
    bool isKnife = false; ///< Y is held
};
/// Returns the tool that a press starts; nullptr: none.
std::unique_ptr<CanvasTool> toolFor(CanvasView& view, const Press& press);

/// Selects the pressed layer; after five pixels moves the selection.
std::unique_ptr<CanvasTool> makeMoveTool(CanvasView& view, QPointF at, LayerId pressed);
/// Selects with a box, or with a lasso when Ctrl and Alt are held; Shift adds, Ctrl removes.
std::unique_ptr<CanvasTool> makeBandTool(CanvasView& view, QPointF at);
std::unique_ptr<CanvasTool> makePanTool(CanvasView& view, QPointF at); ///< scrolls with the pointer
/// Dragging up zooms in and down zooms out, about the start point.
std::unique_ptr<CanvasTool> makeZoomTool(CanvasView& view, QPointF at);
/// Removes every wire that the line crosses.
std::unique_ptr<CanvasTool> makeCutTool(CanvasView& view, QPointF at);
/// Gives the brush's assignment to every layer it touches, as one undo step.
std::unique_ptr<CanvasTool> makeBrushTool(CanvasView& view, Brush brush, QPointF at);
/// Draws a wire from a port. `isMoved`: the port's existing wires are moved instead.
std::unique_ptr<CanvasTool> makeWireTool(CanvasView& view, Endpoint from, bool fromOutput,
                                         bool isMoved);
/// Selects and moves a frame, comment or reroute point; a frame moves with its content.
std::unique_ptr<CanvasTool> makeItemTool(CanvasView& view, QPointF at, ItemRef item);
/// Adds a reroute point to the wire and moves that point.
std::unique_ptr<CanvasTool> makeRerouteTool(CanvasView& view, QPointF at, const WireView& wire);
/// Moves these edges of a frame, which then contains what lies inside.
std::unique_ptr<CanvasTool> makeResizeTool(CanvasView& view, QPointF at, std::size_t frame,
                                           Qt::Edges edges);
/// Returns the edges of a frame within `reach` of a point.
[[nodiscard]] Qt::Edges edgesAt(const FrameView& frame, QPointF scene, double reach);
/// Applies the fix of a layer's problem if the button is also released over the fix.
std::unique_ptr<CanvasTool> makeFixTool(CanvasView& view, LayerId layer);

} // namespace weft::ui
