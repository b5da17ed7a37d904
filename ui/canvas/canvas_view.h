// SPDX-License-Identifier: Apache-2.0
#pragma once
// The canvas: shows one network of a document and turns what hands do into edits. Pressing begins a
// tool, which has the pointer until the button is let go. Panning scrolls what is painted; only the
// strip that comes into view is painted anew.

#include "canvas/cached_picture.h"
#include "canvas/canvas_painter.h"
#include "canvas/hover_card.h"
#include "canvas/known_layers.h"
#include "canvas/list_maker.h"
#include "canvas/live_picture.h"
#include "document/design_document.h"
#include "document/live_check.h"
#include "session/layer_sums.h"
#include "session/selection.h"
#include "theme/look.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <memory>

namespace weft::ui {

class CanvasTool;
class InPlaceEditor;

/// What the brush gives to the layers it touches.
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
    /// The part of the design that is seen.
    [[nodiscard]] QRectF shown() const;
    [[nodiscard]] QPointF sceneOf(QPointF logical) const { return at_.toScene(logical); }
    /// Where the pointer is, or the middle when it is elsewhere.
    [[nodiscard]] QPointF pointer() const;

    void lookAt(QPointF origin, double zoom);
    void zoomTo(double zoom, QPointF anchor); ///< `anchor` in logical pixels stays where it is
    void zoomBy(double factor);               ///< about the middle
    void frame(const QRectF& area, double most = 1);
    void frameAll();
    void frameSelection();
    void pan(QPointF logical);
    /// Shows a layer, without changing the zoom where it can be read already.
    void reveal(LayerId layer);
    void collapse(const std::set<LayerId>& layers);
    /// All of it, or a part. In place of QWidget's: a tick of a run that changes all nodes at once
    /// must not be taken for all that has changed.
    void update() { update(rect()); }
    void update(const QRect& part) {
        live_.forget();
        QWidget::update(part);
    }
    /// What a run says of the layers; empty: none is looked at.
    void setLive(std::map<LayerId, LiveNode> nodes);
    [[nodiscard]] LivePicture& live() { return live_; }
    void setAtoms(std::map<LayerId, QImage> atoms);
    void setExposures(std::map<std::string, CanvasState::Exposure> exposures);
    /// Looked at for the sake of a run: laid out for the room there is, whatever the design says,
    /// and nothing can be moved. Either way of looking keeps its place.
    void setRun(bool isRun);
    void centreOn(QPointF scene);
    /// The wire that a layer dropped there would be inserted on.
    void highlightWireAt(QPointF scene);

    /// Times of a layer in the run that is shown; asked when its card opens.
    using TimesOf = std::function<std::optional<LayerTime>(const std::string& fullName)>;
    void setTimesOf(TimesOf timesOf) { timesOf_ = std::move(timesOf); }

    void selectItem(const std::optional<ItemRef>& item);
    /// In place: the name of a layer, or the text of a frame or comment.
    void editName(LayerId layer);
    void editText(const ItemRef& item);
    void removeItem(const ItemRef& item);
    /// What is wrong with it first, if that has a fix.
    void applyFix(LayerId layer);
    /// Takes all wires off a port.
    void detach(const Endpoint& end, bool isInput);

    /// Nothing: layers are selected and moved again.
    void setBrush(const std::optional<Brush>& brush);
    [[nodiscard]] const std::optional<Brush>& brush() const { return brush_; }
    /// Why the brush may not paint this layer; empty: it may.
    [[nodiscard]] QString brushRefusal(LayerId layer) const;

    /// The network as one device sees it, by its place among the check's; -1: all of them.
    void setRank(int rank);
    [[nodiscard]] int rank() const { return rank_; }
    /// What a proof of the design as it stands found; gone with the next change.
    void setProof(std::shared_ptr<const ProofMarks> proof);

    /// Ports without a wire are drawn, or not.
    void hidePorts(const std::set<LayerId>& layers);
    void setBookmark(int number);
    void goToBookmark(int number);

Q_SIGNALS:
    void zoomChanged(double zoom);
    /// Another place is seen than before.
    void looked();
    /// What stands on the canvas is another.
    void rebuilt();
    void brushChanged();
    void rankChanged();
    /// By keys; none: a button was used.
    void focusMoved(weft::LayerId layer);
    /// A wire was let go over nothing: what fits may be added there and wired at once.
    void offerLayer(const QPointF& scene, const weft::Endpoint& end, bool fromOutput);
    void addWanted(const QPointF& scene);
    /// What is selected is to be looked into.
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
    /// What the check knows of the network that is looked at.
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
    mutable std::optional<KnownLayers> known_; ///< made when asked for
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
    QTimer rest_; ///< runs while the wheel turns

    std::unique_ptr<CanvasTool> tool_;
    QPointF pointerAt_; ///< of the tool
    QTimer border_;     ///< runs while a tool is near the border
    std::optional<Brush> brush_;
    std::map<int, Bookmark> bookmarks_;
    QPointer<InPlaceEditor> editor_;
    HoverCard card_;
    QTimer hovering_;
    LayerId cardLayer_;
    LayerId hoveredSync_; ///< whose

    bool isPlaced_ = false;   ///< hands have chosen what is seen
    bool wantsFrame_ = false; ///< shows all of the next list
    /// What is seen in the other way of looking.
    struct Place {
        QPointF middle;
        double zoom = 1;
        bool isPlaced = false;
    } other_;
    Design arranged_; ///< the design as a run lays it out
    bool isSpaceHeld_ = false;
    bool hasPanned_ = false; ///< since Space went down
    bool isKnifeHeld_ = false;
    LayerId focused_; ///< by keys
};

} // namespace weft::ui
