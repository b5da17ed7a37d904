// SPDX-License-Identifier: Apache-2.0
#pragma once
// Updates a canvas with the shown run's data, if the run belongs to the canvas' design: layer times
// at most ten times a second, and the newest saved dictionaries. While the lens Activations is
// chosen, asks the run to observe the visible layers one after another and shows their activations.

#include "canvas/live/live_times.h"
#include "canvas/view/canvas_view.h"
#include "runs/watched_values.h"
#include "workspace/bench.h"

#include <QThreadPool>
#include <QTimer>

namespace weft::ui {

class LiveFeed : public QObject {
    Q_OBJECT

public:
    LiveFeed(Bench& bench, OpenDesign& design, CanvasView& view, QObject* parent);
    ~LiveFeed() override;

    void setLens(Lens lens);
    /// Compares the canvas' design with another one and shows what has changed since. Switches to
    /// the lens Difference.
    void compareWith(const Design& before);
    /// Returns the differences outside the shown network (settings, data, insides of groups), each
    /// as "learning_rate 0.1 -> 0.01".
    [[nodiscard]] const QStringList& otherChanges() const { return otherChanges_; }

private:
    void grow(const RunGrowth& growth);
    void tell();
    void readStep();
    /// Determines whether the run belongs to this design, and maps its layers.
    void renew();
    void refresh();
    void observe();
    void readActivations();
    void readAtoms();
    /// Checkpoints that are available locally; none is fetched just to draw a few numbers.
    [[nodiscard]] std::vector<RunFile> checkpoints() const;
    [[nodiscard]] std::vector<LayerId> inView() const;
    [[nodiscard]] std::vector<RemovedNode> removed() const;
    /// Returns the nearest upstream layer that still exists.
    [[nodiscard]] LayerId feederOf(const Network& network, LayerId layer) const;

    Bench& bench_;
    OpenDesign& design_;
    CanvasView& view_;
    LiveSites sites_;
    bool isStale_ = true; ///< the mapping of layers must be renewed
    bool isOwn_ = false;
    Design before_; ///< the design to compare with
    std::map<LayerId, ChangeSort> changes_;
    std::vector<LayerId> gone_;
    QStringList otherChanges_;
    std::map<LayerId, QImage> activations_;
    std::map<LayerId, std::int64_t> activationSteps_; ///< steps that are shown or being read
    std::map<LayerId, std::int64_t> asked_;     ///< step at which each layer was last requested
    std::map<LayerId, QImage> atoms_;           ///< pictures of the newest dictionaries
    std::map<LayerId, std::int64_t> atomSteps_; ///< steps that are shown or being read
    std::set<std::string> critical_;            ///< layers on the critical path of the shown step
    QTimer soon_; ///< combines updates that arrive within a short time
    QTimer ask_;
    QTimer read_; ///< limits how often a step is read again
    QThreadPool pool_;
};

} // namespace weft::ui
