// SPDX-License-Identifier: Apache-2.0
#pragma once
// How a run stands, in the numbers that people ask for first: how far, how fast, how long yet. Read
// from what a hub and a prediction hold; pure but for the clock.

#include "session/run_hub.h"
#include "session/step_analysis.h"
#include <weft/preview.h>

#include <optional>
#include <string>

namespace weft::ui {

struct LayerSync {
    std::string layer; ///< empty: there is no other that has one
    SyncPreview sync;
};

struct RunStatus {
    std::int64_t step = 0;                    ///< done
    std::optional<std::int64_t> steps = {};   ///< that it is to do
    std::optional<double> secondsLeft = {};   ///< of a run that goes on
    std::optional<double> stepSeconds = {};   ///< as the run's figures have it
    std::optional<double> throughput = {};    ///< examples per second, the mean of the last ones
    std::optional<double> predictedStep = {}; ///< seconds
    std::optional<double> predictedRate = {}; ///< examples per second
    /// Of the typical step, and of the predicted one.
    std::optional<Iterations> iterations = {};
    std::optional<Iterations> predictedIterations = {};
    /// The layer that reduces the most bytes outside of the step's gradients, if any.
    std::optional<LayerSync> sync = {};
    std::optional<std::int64_t> checkpoint = {}; ///< the step of the last one
    std::optional<double> checkpointAge = {};    ///< seconds
};

/// `predicted`: nullptr where nothing is. `now`: Unix time in seconds.
[[nodiscard]] RunStatus statusOf(const RunHub& hub, const Preview* predicted, double now);

/// What that one step took, as it was told; nothing where it was not.
[[nodiscard]] std::optional<double> secondsOfStep(const RunHub& hub, std::int64_t step);

/// The step that stands for all where one is shown and nobody has picked another: of those that are
/// told layer by layer the one whose time is nearest to the run's, which is the median of all. The
/// last one would not do, since it may end with a short batch, an evaluation or a checkpoint.
/// nullptr: none is told layer by layer.
[[nodiscard]] const StepWindow* typicalStep(const RunHub& hub);

/// The state of a run in one word, wherever it is shown: "running", "paused", "lost".
[[nodiscard]] QString nameOfState(RunState state, bool isPaused = false);

} // namespace weft::ui
