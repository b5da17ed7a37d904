// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the pointer does from press to release: one state, one file. Positions are logical pixels of
// the view.

#include <weft/design.h>

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

protected:
    CanvasView& view_;
};

/// A press that has not moved five pixels yet selects; then it moves what is selected.
std::unique_ptr<CanvasTool> makeMoveTool(CanvasView& view, QPointF at, LayerId pressed);
/// A box, or a lasso with Ctrl and Alt; Shift adds, Ctrl takes away.
std::unique_ptr<CanvasTool> makeBandTool(CanvasView& view, QPointF at);
std::unique_ptr<CanvasTool> makePanTool(CanvasView& view, QPointF at);
/// A wire from a port; `isMoved`: the one that ends there is taken off and moved.
std::unique_ptr<CanvasTool> makeWireTool(CanvasView& view, Endpoint from, bool fromOutput,
                                         bool isMoved);
std::unique_ptr<CanvasTool> makeFrameTool(CanvasView& view, QPointF at, std::size_t frame);

} // namespace weft::ui
