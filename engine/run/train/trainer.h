// SPDX-License-Identifier: Apache-2.0
#pragma once
// The training loop: takes batches, runs programs, reads results, and continues by the decision of
// all ranks. It holds the position (step, data), not the numbers, which live in the workers' slots.
// Listeners receive what happens.

#include "compile/program_set.h"
#include "data/batcher.h"
#include "data/source.h"
#include "run/execute/step_runner.h"
#include "run/execute/worker_pool.h"
#include "run/observe/not_finite.h"
#include "run/observe/observe.h"
#include "run/train/run_controls.h"
#include "run/train/step_decision.h"
#include <weft/design.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Receives what happens, on the trainer's thread. Must return at once.
class TrainerListener {
public:
    virtual ~TrainerListener() = default;
    virtual void onStep(const StepReport& report, const WorkerPool& pool, std::size_t member) = 0;
    /// True if the times of that step's parts are wanted. Then a device executes steps one by one
    /// instead of replaying captured parts.
    [[nodiscard]] virtual bool wantsTimes(std::int64_t step) const {
        (void)step;
        return false;
    }
    virtual void onEvaluation(const StepReport& report) = 0;
    /// `path` is relative to the run's folder: "checkpoints/...".
    virtual void onCheckpoint(std::int64_t step, const std::string& path) = 0;
    /// Called when a value of an observed step was written to this path of the run's folder.
    virtual void onTensor(std::int64_t step, const std::string& path) {
        (void)step;
        (void)path;
    }
    virtual void onMessage(const std::string& text) = 0;
    /// Called when the run pauses after this step or continues.
    virtual void onPause(bool isPaused, std::int64_t step) {
        (void)isPaused;
        (void)step;
    }
};

/// The number of completed steps and the position in the data of the next step.
struct RunPosition {
    std::int64_t step = 0;        ///< completed steps
    DataPosition data = {};       ///< position of the next step
    bool isEvaluationDue = false; ///< the evaluation after that step is still to be done
};

struct TrainerSetup {
    const Design* design = nullptr;
    const ProgramSet* programSet = nullptr;
    WorkerPool* pool = nullptr;
    SourcePointer training;
    SourcePointer evaluation; ///< nullptr: no evaluation
    std::vector<TrainerListener*> listeners;
    void say(const std::string& text) const {
        for (TrainerListener* listener : listeners) {
            listener->onMessage(text);
        }
    }
    Decide decide = {}; ///< decides with all ranks after each step
    /// Writes a checkpoint and returns its name. Empty: no checkpoints.
    std::function<std::string(std::int64_t step, DataPosition position)> save = {};
    /// Writes a value of an observed step and returns its file name. Empty: values are not kept.
    std::function<std::string(std::int64_t step, const std::string& name, const Array& value)>
        keepTensor = {};
    /// Writes per-iteration numbers of a layer on the steps for which they are requested.
    std::function<void(std::int64_t step, const std::string& name, const Array& value)> keepSeries =
        {};
    /// Restores all slots to the last checkpoint or to the start of the run, and returns that
    /// position. Without it a number that is not finite cannot be traced.
    std::function<RunPosition()> restore = {};
    int rank = 0;
    FetchPart fetch = {};            ///< sends parts from other ranks to rank 0
    BroadcastFromFirst share = {};   ///< copies rank 0's result to all ranks
    RunControls* controls = nullptr; ///< nullptr: no commands
    RunPosition begin = {};          ///< where this attempt begins
    DataPosition countedFrom = {};   ///< where all rows last began new films

    [[nodiscard]] bool wantsTimes(std::int64_t step) const {
        return std::ranges::any_of(listeners, [step](const TrainerListener* listener) {
            return listener->wantsTimes(step);
        });
    }
};

enum class TrainingEnd : std::uint8_t {
    done,     ///< all steps are taken, or the time limit has passed
    target,   ///< a metric reached the design's target
    stopped,  ///< by a command
    notFinite ///< a number became NaN or infinite
};

struct TrainingOutcome {
    TrainingEnd end = TrainingEnd::done;
    std::int64_t steps = 0; ///< completed steps
    StepReport last;
    StepReport evaluation;                 ///< the last evaluation
    std::optional<NotFinite> culprit = {}; ///< where a number became NaN or infinite, if traced
};

/// Throws Error{numerics} if a training reached a number that is not finite, with its origin as far
/// as known. `more` is appended to the remedy.
void ensureFinite(const TrainingOutcome& outcome, std::string_view more = {});

class Trainer {
public:
    explicit Trainer(TrainerSetup setup);
    ~Trainer();

    TrainingOutcome train();
    /// Evaluates over all examples of `source`. Means are weighted by counts.
    StepReport evaluate(const SourcePointer& source, std::int64_t step);
    /// Takes the next training step and returns all layer results and all updated weights, without
    /// notifying listeners. Used by proofs. Not to be mixed with `train`.
    std::vector<ObservedValue> observedStep(StepReport& report,
                                            const ObservationOptions& look = {});
    void addListener(TrainerListener& listener);
    [[nodiscard]] std::int64_t firstStep() const;
    /// Returns the last whole step and the data position after it.
    [[nodiscard]] RunPosition position() const;
    /// Returns why the slots, or the last reported numbers, are not those of `position`. Empty if
    /// they are.
    [[nodiscard]] std::string whyNotConsistent() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace weft
