// SPDX-License-Identifier: Apache-2.0
#pragma once
// The page of one open design: its canvas with the overlays above it (tool strip, path of groups,
// minimap) and the search that adds a layer.

#include "canvas/view/canvas_view.h"
#include "workspace/bench.h"

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
    CanvasPage(Bench& bench, OpenDesign& design, QWidget* parent = nullptr);

    [[nodiscard]] CanvasView& view() { return view_; }
    [[nodiscard]] OpenDesign& design() { return design_; }
    [[nodiscard]] Bench& bench() { return bench_; }
    [[nodiscard]] LiveFeed& feed() { return *feed_; }
    /// Adds a layer of this kind at a position and selects it; connects it to `end` if given, else
    /// inserts it into a wire at that position.
    LayerId place(const QString& kind, bool isGroup, QPointF scene,
                  const std::optional<Endpoint>& end = {}, bool fromOutput = true);
    /// Adds a layer of this kind below the selected layer and connects it to that layer's first
    /// output. If no layer with outputs is selected, places it at `scene`, or in the middle of the
    /// view.
    LayerId append(const QString& kind, bool isGroup, const std::optional<QPointF>& scene = {});
    void search(QPointF scene, const std::optional<Endpoint>& end = {}, bool fromOutput = true);
    /// Opens the search for layers by name, kind, shape or problem.
    void find();
    void showMinimap(bool isShown);
    [[nodiscard]] bool hasMinimap() const;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildStrip();
    void addLenses();
    void showWay();
    void arrange();
    void applyLook();
    SearchPopup& popup();
    struct Addition {
        QString kind;
        bool isGroup = false;
        QPointF at = {};
        std::optional<Endpoint> end = {}; ///< a port of another layer, which is connected
        bool fromOutput = true;           ///< `end` is an output
        std::optional<Wire> wire = {};    ///< the layer is inserted into it
    };
    LayerId add(const Addition& addition);
    /// Returns a place for a layer below the selected one, or else in the middle of the view.
    [[nodiscard]] QPointF freePlace() const;
    /// Returns the name of the first input or output of a kind or group; empty: it has none.
    [[nodiscard]] std::string firstPort(const std::string& kind, bool isGroup, bool isInput) const;
    /// Maps kinds that cannot be connected to this port to the reason.
    [[nodiscard]] std::map<std::string, std::string> refusalsAt(const Endpoint& end);

    Bench& bench_;
    OpenDesign& design_;
    CanvasView view_;
    LiveFeed* feed_;
    Minimap* minimap_;
    QWidget* strip_;
    QWidget* way_;
    QToolButton* lens_ = nullptr;
    BrushStrip* brush_ = nullptr;
    RankStrip* rank_ = nullptr;
    LensStrip* words_ = nullptr;
    EmptyHint* hint_ = nullptr;
    QToolButton* zoom_;
    SearchPopup* popup_ = nullptr;
    bool wantsMinimap_ = true;
};

} // namespace weft::ui
