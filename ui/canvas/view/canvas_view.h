// SPDX-License-Identifier: Apache-2.0
#pragma once
// The canvas widget: shows one network of a document and turns mouse and keyboard input into edits.
// A press starts a tool, which owns the pointer until the release. Panning scrolls the painted
// content and repaints only the exposed strip.

#include "canvas/live/live_picture.h"
#include "canvas/paint/cached_picture.h"
#include "canvas/paint/canvas_painter.h"
#include "canvas/scene/known_layers.h"
#include "canvas/scene/list_maker.h"
#include "canvas/view/camera.h"
#include "canvas/view/canvas_edits.h"
#include "canvas/view/hover_card.h"
#include "document/design_document.h"
#include "document/live_check.h"
#include "runs/layer_sums.h"
#include "theme/look.h"
#include "workspace/selection.h"

#include <QTimer>
#include <QWidget>
#include <functional>
#include <memory>

namespace weft::ui {

class CanvasTool;

/// The assignment that the brush gives to the layers it touches.
struct Brush {
    QString name;
    AxisWord word = AxisWord::follow;
    std::optional<Assignment> assignment;
};

class CanvasView : public QWidget {
    Q_OBJECT

public:
    CanvasView(DesignDocument& document, Selection& selection, LiveCheck& check, Look& look,
               QWidget* parent = nullptr);
    ~CanvasView() override;

    [[nodiscard]] DesignDocument& document() { return document_; }
    [[nodiscard]] Selection& selection() { return selection_; }
    [[nodiscard]] const DisplayList& list() const { return *list_; }
    [[nodiscard]] const Theme& theme() const { return look_.theme(); }
    [[nodiscard]] Camera& camera() { return camera_; }
    [[nodiscard]] const Viewport& viewport() const { return camera_.viewport(); }
    [[nodiscard]] CanvasEdits& edits() { return edits_; }
    [[nodiscard]] CanvasState& state() { return state_; }
    [[nodiscard]] const CheckedDesign& checked() const { return *check_.answer(); }
    /// Results of the check for the shown network.
    [[nodiscard]] const CheckedLayers& known() const;
    /// Position of the pointer, or the centre of the view if the pointer is elsewhere.
    [[nodiscard]] QPointF pointer() const;

    void collapse(const std::set<LayerId>& layers) { toggle(collapsed_, layers); }
    /// Discards the cached canvas and repaints all or a part; `update` would keep the cache.
    void redraw() { redraw(rect()); }
    void redraw(const QRect& part) {
        live_.discardCache();
        QWidget::update(part);
    }
    /// Sets the run's numbers per layer; an empty map means that no run is shown.
    void setLive(LiveNodes nodes);
    [[nodiscard]] LivePicture& live() { return live_; }
    void setAtoms(std::map<LayerId, QImage> atoms);
    void setExposures(std::map<std::string, CanvasState::Exposure> exposures);
    /// Switches between the design and a run. A run is laid out to fit the view and is read-only.
    /// Both modes keep their own position and zoom.
    void setRun(bool isRun);
    /// Highlights the wire into which a layer dropped at this position would be inserted.
    void highlightWireAt(QPointF scene);

    /// Returns the times of a layer in the shown run; called when its card opens.
    using TimesOf = std::function<std::optional<LayerTime>(const std::string& fullName)>;
    void setTimesOf(TimesOf timesOf) { timesOf_ = std::move(timesOf); }

    void selectItem(const std::optional<ItemRef>& item);
    void closeCard();

    [[nodiscard]] const std::optional<Brush>& brush() const { return brush_; }
    /// std::nullopt: the pointer selects and moves layers again.
    void setBrush(const std::optional<Brush>& brush);

    /// Shows the network as one device sees it; `rank` is an index into the check's devices, or -1
    /// for all devices.
    void setRank(int rank);
    [[nodiscard]] int rank() const { return rank_; }
    /// Shows the result of a proof until the design changes.
    void setProof(std::shared_ptr<const ProofDifferences> proof);

    /// Hides or shows the unconnected ports of layers.
    void hidePorts(const std::set<LayerId>& layers) { toggle(portless_, layers); }

Q_SIGNALS:
    /// The display list has changed.
    void rebuilt();
    void brushChanged();
    void rankChanged();
    /// The keyboard focus moved to a layer; an invalid id after a mouse press.
    void focusMoved(weft::LayerId layer);
    /// A wire was dropped on empty canvas: a matching layer may be added and connected there.
    void offerLayer(const QPointF& scene, const weft::Endpoint& end, bool fromOutput);
    void addWanted(const QPointF& scene);
    /// The user wants to open the selected group.
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
    void toggle(std::set<LayerId>& among, const std::set<LayerId>& layers);
    void takeList(const std::shared_ptr<DisplayList>& list);
    void showHovered(QPointF logical);
    void openCard();
    void walk(Qt::Key arrow, Qt::KeyboardModifiers modifiers);
    void focusOn(LayerId layer);
    bool pressKey(const QKeyEvent& event);
    void endTool();
    void cancelTool();
    void panAtBorder();
    void showMenu(QPoint at);

    DesignDocument& document_;
    Selection& selection_;
    LiveCheck& check_;
    Look& look_;
    DisplayListBuilder listBuilder_;
    std::shared_ptr<DisplayList> list_ = std::make_shared<DisplayList>();
    mutable std::optional<CheckedLayers> known_; ///< built on first use
    mutable std::shared_ptr<const CheckedDesign> knownCheck_;
    std::set<LayerId> collapsed_;
    std::set<LayerId> portless_;
    TimesOf timesOf_;
    int rank_ = -1;
    std::shared_ptr<const ProofDifferences> proof_;
    Camera camera_{*this};
    CanvasState state_;
    CanvasPainter painter_;
    LivePicture live_{*this};
    CachedPicture cachedPicture_;
    QTimer zoomEndTimer_; ///< active during a zoom

    std::unique_ptr<CanvasTool> activeTool_;
    QPointF pointerAt_;          ///< position of the pointer for the tool
    LayerId currentBeforePress_; ///< layer selected before the last press
    QTimer borderPanTimer_;      ///< active while a tool is near the border
    std::optional<Brush> brush_;
    CanvasEdits edits_{*this};
    HoverCard hoverCard_;
    QTimer hoverTimer_;
    LayerId cardLayer_;
    LayerId hoveredSync_; ///< layer whose sync is hovered

    Design arranged_; ///< the design as laid out for a run
    bool isSpaceHeld_ = false;
    bool hasPanned_ = false; ///< since Space was pressed
    bool isKnifeHeld_ = false;
    LayerId focused_; ///< by keyboard
};

} // namespace weft::ui
