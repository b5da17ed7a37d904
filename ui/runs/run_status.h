// SPDX-License-Identifier: Apache-2.0
#pragma once
// The key numbers of a run: progress, speed and remaining time. Computed from a hub and a
// prediction; depends only on them and the clock.

#include "runs/run_hub.h"
#include "runs/step_analysis.h"
#include <weft/preview.h>

#include <optional>
#include <string>

namespace weft::ui {

struct LayerSync {
    std::string layer; ///< empty: the only such layer
    SyncPreview sync;
};

struct RunStatus {
    std::int64_t step = 0;                     ///< finished steps
    std::optional<std::int64_t> steps = {};    ///< planned steps
    std::optional<double> secondsLeft = {};    ///< for a live run
    std::optional<double> stepSeconds = {};    ///< from the run's figures
    std::optional<double> throughput = {};     ///< examples per second, mean of the recent steps
    std::optional<double> predictedStep = {};  ///< predicted seconds per step
    std::optional<double> predictedRate = {};  ///< predicted examples per second
    std::optional<Iterations> iterations = {}; ///< in the typical step
    std::optional<Iterations> predictedIterations = {}; ///< in the predicted step
    /// The layer that reduces the most bytes outside of the step's gradients, if any.
    std::optional<LayerSync> sync = {};
    std::optional<std::int64_t> checkpoint = {}; ///< step of the last checkpoint
    std::optional<double> checkpointAge = {};    ///< seconds since the last checkpoint
};

/// Returns the status of the hub's run. `predicted`: nullptr if there is no prediction. `now`: Unix
/// time in seconds.
[[nodiscard]] RunStatus statusOf(const RunHub& hub, const Preview* predicted, double now);

/// Returns the recorded time of this step; std::nullopt if it was not recorded.
[[nodiscard]] std::optional<double> secondsOfStep(const RunHub& hub, std::int64_t step);

/// Returns the step that views show if the user has chosen none: among the steps with spans, the
/// one whose time is nearest to the run's median. The last step would be a bad choice, as it may
/// include a short batch, an evaluation or a checkpoint. nullptr: no step has spans.
[[nodiscard]] const StepWindow* typicalStep(const RunHub& hub);

/// Returns the state of a run in one word: "running", "paused", "lost".
[[nodiscard]] QString nameOfState(RunState state, bool isPaused = false);

} // namespace weft::ui
