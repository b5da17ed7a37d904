// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The canvas: shows one network of a document and turns what hands do into edits. Pressing begins a
// tool, which has the pointer until the button is let go. Panning scrolls what is painted; only the
// strip that comes into view is painted anew.

#include "canvas/build_display_list.h"
#include "canvas/canvas_painter.h"
#include "canvas/live_picture.h"
#include "document/design_document.h"
#include "document/live_check.h"
#include "session/selection.h"
#include "theme/look.h"

#include <QWidget>
#include <memory>

namespace weft::ui {

class CanvasTool;

class CanvasView : public QWidget {
    Q_OBJECT

public:
    CanvasView(DesignDocument& document, Selection& selection, LiveCheck& check, Look& look,
               QWidget* parent = nullptr);
    ~CanvasView() override;

    [[nodiscard]] DesignDocument& document() { return document_; }
    [[nodiscard]] Selection& selection() { return selection_; }
    [[nodiscard]] const DisplayList& list() const { return list_; }
    [[nodiscard]] const Theme& theme() const { return look_.theme(); }
    [[nodiscard]] const Viewport& at() const { return at_; }
    [[nodiscard]] CanvasState& state() { return state_; }
    [[nodiscard]] QPointF sceneOf(QPointF logical) const { return at_.toScene(logical); }
    /// Where the pointer is, or the middle when it is elsewhere.
    [[nodiscard]] QPointF pointer() const;

    void zoomTo(double zoom, QPointF anchor); ///< `anchor` in logical pixels stays where it is
    void zoomBy(double factor);               ///< about the middle
    void frame(const QRectF& area, double most = 1);
    void frameAll();
    void frameSelection();
    void pan(QPointF logical);
    /// Shows a layer, without changing the zoom where it can be read already.
    void reveal(LayerId layer);
    void collapse(const std::set<LayerId>& layers);
    /// What a run says of the layers; empty: none is looked at.
    void setLive(std::map<LayerId, LiveNode> nodes);
    [[nodiscard]] LivePicture& live() { return live_; }
    /// Looked at for the sake of a run: laid out for the room there is, whatever the design says,
    /// and nothing can be moved. Either way of looking keeps its place.
    void setRun(bool isRun);
    void centreOn(QPointF scene);
    /// The wire that a layer dropped there would be inserted on.
    void highlightWireAt(QPointF scene);

    void begin(std::unique_ptr<CanvasTool> tool);
    void endTool();

Q_SIGNALS:
    void zoomChanged(double zoom);
    /// Something else is seen than before: another place, or another picture.
    void looked();
    /// A wire was let go over nothing: what fits may be added there and wired at once.
    void offerLayer(const QPointF& scene, const weft::Endpoint& end, bool fromOutput);
    void addWanted(const QPointF& scene);
    void entered();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void rebuild();
    void hover(QPointF logical);
    void pick(QPointF scene, Qt::KeyboardModifiers modifiers);
    void walk(int key);
    void showPlace(QPointF origin, double zoom);

    DesignDocument& document_;
    Selection& selection_;
    LiveCheck& check_;
    Look& look_;
    DisplayList list_;
    std::set<LayerId> collapsed_;
    Viewport at_;
    CanvasState state_;
    CanvasPainter painter_;
    LivePicture live_{*this};
    std::unique_ptr<CanvasTool> tool_;
    bool isPlaced_ = false; ///< hands have chosen what is seen
    /// What is seen in the other way of looking.
    struct Place {
        QPointF middle;
        double zoom = 1;
        bool isPlaced = false;
    } other_;
    Design arranged_; ///< the design as a run lays it out
    bool isSpaceHeld_ = false;
};

} // namespace weft::ui
