// SPDX-License-Identifier: Apache-2.0
#pragma once
// Edits of the design that the canvas makes itself: texts edited in place, items, fixes, ports.

#include "canvas/scene/display_list.h"

#include <QPointer>
#include <functional>

namespace weft::ui {

class CanvasView;
class InPlaceEditor;

class CanvasEdits {
public:
    explicit CanvasEdits(CanvasView& view) : view_(view) {}

    /// Open an editor in place for the name of a layer, or the text of a frame or comment.
    void editName(LayerId layer);       ///< opens an editor on the canvas
    void editText(const ItemRef& item); ///< edits a frame or comment on the canvas
    [[nodiscard]] bool isEditing() const { return !editor_.isNull(); }
    void finish(); ///< closes the editor and takes its text
    void removeItem(const ItemRef& item);
    void applyFix(LayerId layer); ///< applies the fix of the layer's first problem, if it has one
    void detach(const Endpoint& end, bool isInput); ///< removes all wires of a port

private:
    void open(const QRectF& scene, const QString& text, bool hasLines,
              std::function<void(const QString&)> take);

    CanvasView& view_;
    QPointer<InPlaceEditor> editor_; ///< nullptr: nothing is being edited
};

} // namespace weft::ui
