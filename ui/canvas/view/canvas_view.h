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
    AxisWord word = AxisWord::follow;     ///< kind of assignment
    std::optional<Assignment> assignment; ///< none: removes the layer's assignment
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
    [[nodiscard]] CanvasEdits& edits() { return edits_; } ///< texts and items
    [[nodiscard]] CanvasState& state() { return state_; } ///< selection, drag and other interaction
    [[nodiscard]] const CheckedDesign& checked() const { return *check_.answer(); }
    /// Results of the check for the shown network.
    [[nodiscard]] const CheckedLayers& known() const;
    [[nodiscard]] QPointF pointer() const; ///< the mouse's, or the centre of the view

    void collapse(const std::set<LayerId>& layers) { toggle(collapsed_, layers); } ///< or expand
    /// Discards the cached canvas and repaints all or a part; `update` would keep the cache.
    void redraw() { redraw(rect()); }
    void redraw(const QRect& part) {
        live_.discardCache();
        QWidget::update(part);
    }
    void setLive(LiveNodes nodes); ///< data of a run per layer; empty: no run is shown
    [[nodiscard]] LivePicture& live() { return live_; }
    void setAtoms(std::map<LayerId, QImage> atoms); ///< pictures of learnt dictionaries
    void setExposures(std::map<std::string, CanvasState::Exposure> exposures); ///< by collective
    /// Switches between the design and a run. A run is laid out to fit the view and is read-only.
    /// Both modes keep their own position and zoom.
    void setRun(bool isRun); ///< shows a run, laid out anew and read-only, or the design
    /// Highlights the wire into which a layer dropped at this position would be inserted.
    void highlightWireAt(QPointF scene); ///< where a dropped layer would be inserted

    /// Returns the times of a layer in the shown run; called when its card opens.
    using TimesOf = std::function<std::optional<LayerTime>(const std::string& fullName)>;
    void setTimesOf(TimesOf timesOf) { timesOf_ = std::move(timesOf); } ///< for hover cards

    void selectItem(const std::optional<ItemRef>& item); ///< a frame, comment or reroute point
    void closeCard();                                    ///< the hover card

    [[nodiscard]] const std::optional<Brush>& brush() const { return brush_; }
    void setBrush(const std::optional<Brush>& brush); ///< none: selects layers again

    /// Shows the network as one device sees it; `rank` is an index into the check's devices, or -1
    /// for all devices.
    void setRank(int rank); ///< shows the network as this device sees it; -1: all devices
    [[nodiscard]] int rank() const { return rank_; } ///< -1: all devices
    /// Shows the result of a proof until the design changes.
    void setProof(std::shared_ptr<const ProofDifferences> proof); ///< until the design changes

    /// Hides or shows the unconnected ports of layers.
    void hidePorts(const std::set<LayerId>& layers) { toggle(portless_, layers); } ///< or show

Q_SIGNALS:
    void rebuilt(); ///< the display list has changed
    void brushChanged();
    void rankChanged();
    void focusMoved(weft::LayerId layer); ///< keyboard focus; invalid after a mouse press
    /// A wire was dropped on empty canvas: a matching layer may be added and connected there.
    void offerLayer(const QPointF& scene, const weft::Endpoint& end, bool fromOutput);
    void addWanted(const QPointF& scene); ///< a layer shall be added here
    void lensUnwanted();                  ///< Escape where there is nothing else to leave
    void entered();                       ///< the user wants to open the selected group

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
    void rebuild(); ///< requests a new display list
    void toggle(std::set<LayerId>& among, const std::set<LayerId>& layers);
    void takeList(const std::shared_ptr<DisplayList>& list); ///< a new display list
    void showHovered(QPointF logical); ///< highlights what is under the pointer
    void openCard();                   ///< hover card of what is under the pointer
    void walk(Qt::Key arrow, Qt::KeyboardModifiers modifiers);
    void focusOn(LayerId layer);           ///< by keyboard
    bool pressKey(const QKeyEvent& event); ///< true: the key was used
    void endTool();                        ///< on release of the button
    void cancelTool();                     ///< Escape: restores the state before the press
    void panAtBorder();                    ///< scrolls while a tool is near the border
    void showMenu(QPoint at);              ///< context menu

    DesignDocument& document_;
    Selection& selection_;
    LiveCheck& check_;
    Look& look_;
    DisplayListBuilder listBuilder_;                                      ///< makes `list_`
    std::shared_ptr<DisplayList> list_ = std::make_shared<DisplayList>(); ///< what is drawn
    mutable std::optional<CheckedLayers> known_;                          ///< built on first use
    mutable std::shared_ptr<const CheckedDesign> knownCheck_; ///< the answer that `known_` reads
    std::set<LayerId> collapsed_;                             ///< drawn as one line
    std::set<LayerId> portless_;                              ///< drawn without unconnected ports
    TimesOf timesOf_; ///< measured times of a layer by full name
    int rank_ = -1;   ///< device whose view is shown; -1: all
    std::shared_ptr<const ProofDifferences> proof_;
    Camera camera_{*this};
    CanvasState state_;
    CanvasPainter painter_;
    LivePicture live_{*this};     ///< draws a run's data
    CachedPicture cachedPicture_; ///< shown scaled during a zoom
    QTimer zoomEndTimer_;         ///< active during a zoom

    std::unique_ptr<CanvasTool> activeTool_; ///< between press and release
    QPointF pointerAt_;                      ///< position of the pointer for the tool
    LayerId currentBeforePress_;             ///< layer selected before the last press
    QTimer borderPanTimer_;                  ///< active while a tool is near the border
    std::optional<Brush> brush_;             ///< none: the pointer selects
    CanvasEdits edits_{*this};
    HoverCard hoverCard_;
    QTimer hoverTimer_;   ///< opens the hover card
    LayerId cardLayer_;   ///< layer of the open card
    LayerId hoveredSync_; ///< layer whose sync is hovered

    Design arranged_;          ///< the design as laid out for a run
    bool isSpaceHeld_ = false; ///< the pointer pans
    bool hasPanned_ = false;   ///< since Space was pressed
    bool isKnifeHeld_ = false; ///< Y is held: the pointer cuts wires
    LayerId focused_;          ///< by keyboard
};

} // namespace weft::ui
