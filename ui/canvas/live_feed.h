// SPDX-License-Identifier: Apache-2.0
#pragma once
// Brings a canvas what the run says that is looked at, where that is one of its design: times of
// its layers, at most ten times a second; its dictionaries as they were last kept; under the lens
// Activations also what the layers in view made, for which it asks the run to observe one after the
// other, as long as the lens is chosen and not otherwise.

#include "canvas/canvas_view.h"
#include "canvas/live_times.h"
#include "session/bench.h"
#include "session/watched_values.h"

#include <QThreadPool>
#include <QTimer>

namespace weft::ui {

class LiveFeed : public QObject {
    Q_OBJECT

public:
    LiveFeed(Bench& bench, OpenDesign& design, CanvasView& view, QObject* parent);
    ~LiveFeed() override;

    void setLens(Lens lens);
    /// The canvas' design beside another one: what that one has not is added. Chooses the lens.
    void compareWith(const Design& before);
    /// What is different and is no layer of the network that is looked at: settings, the data, what
    /// is inside groups. "learning_rate 0.1 -> 0.01" each.
    [[nodiscard]] const QStringList& otherChanges() const { return otherChanges_; }

private:
    void grow(const RunGrowth& growth);
    void tell();
    void readStep();
    /// Whether the run is one of this design, and then which layer is which.
    void renew();
    void refresh();
    void observe();
    void readActivations();
    void readAtoms();
    /// Checkpoints that are available locally; none is fetched just to draw a few numbers.
    [[nodiscard]] std::vector<RunFile> checkpoints() const;
    [[nodiscard]] std::vector<LayerId> inView() const;
    [[nodiscard]] std::vector<RemovedNode> removed() const;
    /// The first on the way up that is still there.
    [[nodiscard]] LayerId feederOf(const Network& network, LayerId layer) const;

    Bench& bench_;
    OpenDesign& design_;
    CanvasView& view_;
    LiveSites sites_;
    bool isStale_ = true; ///< the sites, and whose run it is
    bool isOwn_ = false;
    Design before_; ///< that is compared with
    std::map<LayerId, ChangeSort> changes_;
    std::vector<LayerId> gone_;
    QStringList otherChanges_;
    std::map<LayerId, QImage> activations_;
    std::map<LayerId, std::int64_t> activationSteps_; ///< shown or being read
    std::map<LayerId, std::int64_t> asked_;           ///< at which step
    std::map<LayerId, QImage> atoms_;                 ///< of dictionaries, as last kept
    std::map<LayerId, std::int64_t> atomSteps_;       ///< shown or being read
    std::set<std::string> critical_;                  ///< what made the last step so long
    QTimer soon_;                                     ///< gathers what comes within a beat
    QTimer ask_;
    QTimer read_; ///< a step is read again after a while at the earliest
    QThreadPool pool_;
};

} // namespace weft::ui
