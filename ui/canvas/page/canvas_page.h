// SPDX-License-Identifier: Apache-2.0
#pragma once
// The page of one open design: its canvas with the overlays above it (tool strip, path of groups,
// minimap) and the search that adds a layer.

#include "canvas/view/canvas_view.h"
#include "workspace/window_context.h"

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace weft::ui {

class BrushStrip;
class EmptyHint;
class LensStrip;
class LiveFeed;
class Minimap;
class RankStrip;
class SearchPopup;

class CanvasPage : public QWidget {
    Q_OBJECT

public:
    CanvasPage(WindowContext& context, OpenDesign& design, QWidget* parent = nullptr);

    [[nodiscard]] CanvasView& view() { return view_; }
    [[nodiscard]] OpenDesign& design() { return design_; }
    [[nodiscard]] WindowContext& context() { return context_; }
    [[nodiscard]] LiveFeed& feed() { return *feed_; }
    /// Adds a layer of this kind at a position and selects it; connects it to `end` if given, else
    /// inserts it into a wire at that position.
    LayerId placeLayer(const QString& kind, bool isGroup, QPointF scene,
                       const std::optional<Endpoint>& end = {}, bool fromOutput = true);
    /// Adds a layer of this kind below the selected layer and connects it to that layer's first
    /// output. If no layer with outputs is selected, places it at `scene`, or in the middle of the
    /// view.
    LayerId appendLayer(const QString& kind, bool isGroup,
                        const std::optional<QPointF>& scene = {});
    void openAddSearch(QPointF scene, const std::optional<Endpoint>& end = {},
                       bool fromOutput = true);
    /// Opens the search for an input that an output of the selected layer shall feed.
    void openConnectSearch();
    void openFindSearch();          ///< opens the search for layers by name, kind, shape or problem
    void showMinimap(bool isShown); ///< the overview in the corner
    [[nodiscard]] bool hasMinimap() const; ///< chosen by the user

protected:
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildToolStrip(); ///< buttons for lens, brush and zoom
    void addLensButton();
    void showGroupPath();   ///< rebuilds the buttons for the shown group and its parents
    void arrangeOverlays(); ///< positions strips and minimap over the canvas
    void applyLook();
    SearchPopup& searchPopup();
    struct Addition {
        QString kind;
        bool isGroup = false; ///< `kind` is the name of a group
        QPointF at = {}; ///< top centre of the new layer, or the bottom centre if it feeds `end`
        std::optional<Endpoint> end = {}; ///< a port of another layer, which is connected
        bool fromOutput = true;           ///< `end` is an output
        std::optional<Wire> wire = {};    ///< the layer is inserted into it
    };
    LayerId add(const Addition& addition);
    /// Returns a place for a layer below the selected one, or else in the middle of the view.
    [[nodiscard]] QPointF freePosition() const;
    /// Returns the name of the first input or output of a kind or group; empty: it has none.
    [[nodiscard]] std::string firstPort(const std::string& kind, bool isGroup, bool isInput) const;
    /// Maps kinds that cannot be connected to this port to the reason.
    [[nodiscard]] std::map<std::string, std::string> refusalsByKind(const Endpoint& end);

    WindowContext& context_;
    OpenDesign& design_;
    CanvasView view_;
    LiveFeed* feed_;                     ///< shows the run's data
    Minimap* minimap_;                   ///< overview of the network
    QWidget* toolStrip_;                 ///< buttons in the upper right corner
    QWidget* groupPath_;                 ///< buttons for the shown group and its parents
    QToolButton* lensButton_ = nullptr;  ///< opens the list of lenses
    BrushStrip* brushStrip_ = nullptr;   ///< visible while the brush is active
    RankStrip* rankStrip_ = nullptr;     ///< visible while one device's view is shown
    LensStrip* lensStrip_ = nullptr;     ///< caption of the lens
    EmptyHint* emptyHint_ = nullptr;     ///< visible while the network is empty
    QToolButton* zoomButton_;            ///< shows the zoom, resets it to 100 %
    SearchPopup* searchPopup_ = nullptr; ///< made on first use
    bool wantsMinimap_ = true; ///< chosen by the user; hidden all the same if there is no room
};

} // namespace weft::ui
