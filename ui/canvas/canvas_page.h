// SPDX-License-Identifier: Apache-2.0
#pragma once
// One open design's canvas with what floats over it: tool strip, way into groups, overview, and the
// search that adds a layer.

#include "canvas/canvas_view.h"
#include "session/bench.h"

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace weft::ui {

class BrushStrip;
class DifferenceStrip;
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
    /// A layer of this kind at a place, selected; wired to `end` where one is given.
    LayerId place(const QString& kind, bool isGroup, QPointF scene,
                  const std::optional<Endpoint>& end = {}, bool fromOutput = true);
    /// Where a layer goes that is added without a pointer: below what is selected, else the middle.
    [[nodiscard]] QPointF freePlace() const;
    void search(QPointF scene, const std::optional<Endpoint>& end = {}, bool fromOutput = true);
    /// Layers by name, kind, shape or problem.
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
    void dress();
    SearchPopup& popup();
    /// Kinds that do not take what comes out there.
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
    DifferenceStrip* difference_ = nullptr;
    QToolButton* zoom_;
    SearchPopup* popup_ = nullptr;
    bool wantsMinimap_ = true;
};

} // namespace weft::ui
