// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The canvas: shows one network of a document and turns what hands do into edits. Pressing begins a
// tool, which has the pointer until the button is let go. Panning scrolls what is painted; only the
// strip that comes into view is painted anew.

#include "canvas/build_display_list.h"
#include "canvas/canvas_painter.h"
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
    /// Seconds per step by layer, as a run takes them; empty: none is looked at.
    void setMeasured(std::map<std::string, double> measured);
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
    void walk(int key);
    void showPlace(QPointF origin, double zoom);

    DesignDocument& document_;
    Selection& selection_;
    LiveCheck& check_;
    Look& look_;
    DisplayList list_;
    std::set<LayerId> collapsed_;
    std::map<std::string, double> measured_;
    Viewport at_;
    CanvasState state_;
    CanvasPainter painter_;
    std::unique_ptr<CanvasTool> tool_;
    bool isPlaced_ = false; ///< hands have chosen what is seen
    bool isSpaceHeld_ = false;
};

} // namespace weft::ui
