// SPDX-License-Identifier: Apache-2.0
#pragma once
// Updates a canvas with the shown run's data, if the run belongs to the canvas' design: layer times
// at most ten times a second, the newest saved dictionaries, and what the chosen lens adds.

#include "canvas/live/live_times.h"
#include "canvas/view/canvas_view.h"
#include "runs/watched_values.h"
#include "workspace/window_context.h"

#include <QThreadPool>
#include <QTimer>

namespace weft::ui {

class LiveFeed : public QObject {
    Q_OBJECT

public:
    LiveFeed(WindowContext& context, OpenDesign& design, CanvasView& view, QObject* parent);
    ~LiveFeed() override;

    void setLens(const QString& id);
    void compareWith(const Design& before); ///< chooses the lens Difference
    [[nodiscard]] const Design& comparedDesign() const { return comparedDesign_; }

    [[nodiscard]] WindowContext& context() { return context_; }
    [[nodiscard]] OpenDesign& design() { return design_; }
    [[nodiscard]] CanvasView& view() { return view_; }
    /// True if the shown run belongs to this design.
    [[nodiscard]] bool isRunOfDesign() {
        renewMapping();
        return isRunOfDesign_;
    }
    /// Returns the layer of the shown network with this name in the run, or an invalid id.
    [[nodiscard]] LayerId layerNamed(const std::string& name) { return layerMap_.layerNamed(name); }
    /// Reads a picture on another thread, then gives it to `take` on this one and updates the
    /// canvas. Nothing happens if `read` throws or another run is shown meanwhile.
    void readPicture(std::function<QImage()> read, std::function<void(const QImage&)> take);

private:
    void grow(const RunGrowth& growth); ///< slot: the shown run has new data
    void scheduleRefresh();             ///< combines calls within 100 ms
    void readStep();     ///< reads the times of collectives and the lens' data from the run
    void renewMapping(); ///< determines whether the run belongs to this design, and maps its layers
    void refresh();      ///< gives the run's newest data to the canvas
    void readAtoms();    ///< reads the dictionaries that the run learns
    /// Checkpoints that are available locally; none is fetched just to draw a few numbers.
    [[nodiscard]] std::vector<RunFile> localCheckpoints() const; ///< none is fetched

    WindowContext& context_;
    OpenDesign& design_;
    CanvasView& view_;
    RunLayerMap layerMap_;                      ///< layers of the run by name
    bool isMappingStale_ = true;                ///< the mapping of layers must be renewed
    bool isRunOfDesign_ = false;                ///< the shown run belongs to `design_`
    Design comparedDesign_;                     ///< to compare with
    std::map<LayerId, QImage> atoms_;           ///< pictures of the newest dictionaries
    std::map<LayerId, std::int64_t> atomSteps_; ///< steps that are shown or being read
    QTimer refreshTimer_; ///< combines updates that arrive within a short time
    QTimer stepTimer_;    ///< limits how often a step is read again
    QThreadPool pool_;    ///< one thread, which reads pictures from files
};

} // namespace weft::ui
