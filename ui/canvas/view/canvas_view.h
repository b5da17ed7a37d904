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
#include "canvas/view/hover_card.h"
#include "document/design_document.h"
#include "document/live_check.h"
#include "runs/layer_sums.h"
#include "theme/look.h"
#include "workspace/selection.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <memory>

namespace weft::ui {

class CanvasTool;
class InPlaceEditor;

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
    [[nodiscard]] const Viewport& at() const { return at_; }
    [[nodiscard]] CanvasState& state() { return state_; }
    [[nodiscard]] const CheckedDesign& checked() const { return *check_.answer(); }
    /// The visible part of the design.
    [[nodiscard]] QRectF shown() const;
    [[nodiscard]] QPointF sceneOf(QPointF logical) const { return at_.toScene(logical); }
    /// Position of the pointer, or the centre of the view if the pointer is elsewhere.
    [[nodiscard]] QPointF pointer() const;

    void lookAt(QPointF origin, double zoom);
    void zoomTo(double zoom, QPointF anchor); ///< `anchor` (logical pixels) keeps its place
    void zoomBy(double factor);               ///< about the centre
    void frame(const QRectF& area, double most = 1);
    void frameAll();
    void frameSelection();
    void pan(QPointF logical);
    /// Scrolls to a layer; changes the zoom only if the layer is too small to read.
    void reveal(LayerId layer);
    void collapse(const std::set<LayerId>& layers);
    /// Discards the cached canvas and repaints all or a part. Hides QWidget::update, which keeps
    /// the cache: a tick of a run uses it to repaint many nodes.
    void update() { update(rect()); }
    void update(const QRect& part) {
        live_.forget();
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
    void centreOn(QPointF scene);
    /// Highlights the wire into which a layer dropped at this position would be inserted.
    void highlightWireAt(QPointF scene);

    /// Returns the times of a layer in the shown run; called when its card opens.
    using TimesOf = std::function<std::optional<LayerTime>(const std::string& fullName)>;
    void setTimesOf(TimesOf timesOf) { timesOf_ = std::move(timesOf); }

    void selectItem(const std::optional<ItemRef>& item);
    /// Open an editor in place for the name of a layer, or the text of a frame or comment.
    void editName(LayerId layer);
    void editText(const ItemRef& item);
    void removeItem(const ItemRef& item);
    /// Applies the fix of the layer's first problem, if it has one.
    void applyFix(LayerId layer);
    /// Removes all wires of a port.
    void detach(const Endpoint& end, bool isInput);

    /// std::nullopt: the pointer selects and moves layers again.
    void setBrush(const std::optional<Brush>& brush);
    [[nodiscard]] const std::optional<Brush>& brush() const { return brush_; }
    /// Returns why the brush cannot paint this layer, or an empty text if it can.
    [[nodiscard]] QString brushRefusal(LayerId layer) const;

    /// Shows the network as one device sees it; `rank` is an index into the check's devices, or -1
    /// for all devices.
    void setRank(int rank);
    [[nodiscard]] int rank() const { return rank_; }
    /// Shows the result of a proof until the design changes.
    void setProof(std::shared_ptr<const ProofMarks> proof);

    /// Hides or shows the unconnected ports of layers.
    void hidePorts(const std::set<LayerId>& layers);
    void setBookmark(int number);
    void goToBookmark(int number);

Q_SIGNALS:
    void zoomChanged(double zoom);
    /// Position or zoom has changed.
    void looked();
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
    struct Bookmark {
        NetworkPath path;
        QPointF centre;
        double zoom = 1;
    };
    /// Results of the check for the shown network.
    [[nodiscard]] const KnownLayers& known() const;
    void rebuild();
    void take(const std::shared_ptr<DisplayList>& list);
    void showHovered(QPointF logical);
    void openCard();
    void closeCard();
    void walk(Qt::Key arrow, Qt::KeyboardModifiers modifiers);
    void focusOn(LayerId layer);
    bool pressKey(const QKeyEvent& event);
    void openEditor(const QRectF& scene, const QString& text, bool hasLines,
                    std::function<void(const QString&)> take);
    void endTool();
    void cancelTool();
    void panAtBorder();
    void showMenu(QPoint at);

    DesignDocument& document_;
    Selection& selection_;
    LiveCheck& check_;
    Look& look_;
    ListMaker maker_;
    std::shared_ptr<DisplayList> list_ = std::make_shared<DisplayList>();
    mutable std::optional<KnownLayers> known_; ///< built on first use
    mutable std::shared_ptr<const CheckedDesign> knownOf_;
    std::set<LayerId> collapsed_;
    std::set<LayerId> portless_;
    TimesOf timesOf_;
    int rank_ = -1;
    std::shared_ptr<const ProofMarks> proof_;
    Viewport at_;
    CanvasState state_;
    CanvasPainter painter_;
    LivePicture live_{*this};
    CachedPicture kept_;
    QTimer rest_; ///< active during a zoom

    std::unique_ptr<CanvasTool> tool_;
    QPointF pointerAt_; ///< position of the pointer for the tool
    QTimer border_;     ///< active while a tool is near the border
    std::optional<Brush> brush_;
    std::map<int, Bookmark> bookmarks_;
    QPointer<InPlaceEditor> editor_;
    HoverCard card_;
    QTimer hovering_;
    LayerId cardLayer_;
    LayerId hoveredSync_; ///< layer whose sync is hovered

    bool isPlaced_ = false;   ///< the user has chosen position and zoom
    bool wantsFrame_ = false; ///< the next display list is shown whole
    /// Position and zoom of the other mode (design or run).
    struct Place {
        QPointF middle;
        double zoom = 1;
        bool isPlaced = false;
    } other_;
    Design arranged_; ///< the design as laid out for a run
    bool isSpaceHeld_ = false;
    bool hasPanned_ = false; ///< since Space was pressed
    bool isKnifeHeld_ = false;
    LayerId focused_; ///< by keyboard
};

} // namespace weft::ui
