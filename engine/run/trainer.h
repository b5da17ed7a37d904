// SPDX-License-Identifier: Apache-2.0
#pragma once
// The loop of a run: batches in, programs run, results out, and by the decision of all ranks on to
// the next step. It owns the position (step, data), not the numbers: those live in the workers'
// slots. Whoever wants to know what happens listens.

#include "data/batcher.h"
#include "data/source.h"
#include "run/not_finite.h"
#include "run/observe.h"
#include "run/program_set.h"
#include "run/run_controls.h"
#include "run/step_decision.h"
#include "run/step_runner.h"
#include "run/worker_pool.h"
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

/// Told on the trainer's thread; must return at once.
class TrainerListener {
public:
    virtual ~TrainerListener() = default;
    virtual void onStep(const StepReport& report, const WorkerPool& pool, std::size_t member) = 0;
    /// Whether the times of what that step consists of are of use: a device that could repeat what
    /// it has captured then goes step by step.
    [[nodiscard]] virtual bool wantsTimes(std::int64_t step) const {
        (void)step;
        return false;
    }
    virtual void onEvaluation(const StepReport& report) = 0;
    /// `path`: in the run's folder, "checkpoints/...".
    virtual void onCheckpoint(std::int64_t step, const std::string& path) = 0;
    /// A value of an observed step was written to this path of the run's folder.
    virtual void onTensor(std::int64_t step, const std::string& path) {
        (void)step;
        (void)path;
    }
    virtual void onMessage(const std::string& text) = 0;
    /// It waits after this step, or goes on.
    virtual void onPause(bool isPaused, std::int64_t step) {
        (void)isPaused;
        (void)step;
    }
};

/// Steps that are done, and where in the data the next begins.
struct RunPosition {
    std::int64_t step = 0;
    DataPosition data = {};
    bool isEvaluationDue = false; ///< the evaluation after that step has not been made
};

struct TrainerSetup {
    const Design* design = nullptr;
    const ProgramSet* programSet = nullptr;
    WorkerPool* pool = nullptr;
    SourcePointer training;
    SourcePointer evaluation; ///< nullptr: never evaluated
    std::vector<TrainerListener*> listeners;
    void say(const std::string& text) const {
        for (TrainerListener* listener : listeners) {
            listener->onMessage(text);
        }
    }
    Decide decide = {};
    /// Writes a checkpoint and names it; empty: nobody keeps any.
    std::function<std::string(std::int64_t step, DataPosition position)> save = {};
    /// Writes a value of an observed step and names its file; empty: nobody keeps any.
    std::function<std::string(std::int64_t step, const std::string& name, const Array& value)>
        keepTensor = {};
    /// Writes what a layer tells of its rounds, on steps on which that is due.
    std::function<void(std::int64_t step, const std::string& name, const Array& value)> keepSeries =
        {};
    /// Puts all slots back as they were at the last checkpoint, or as the run began, and says where
    /// that was. Without it nobody can tell where a number went wrong.
    std::function<RunPosition()> restore = {};
    int rank = 0;
    FetchPart fetch = {};            ///< brings what other ranks hold to rank 0
    ShareFromFirst share = {};       ///< what rank 0 found, everywhere
    RunControls* controls = nullptr; ///< nullptr: nobody asks for anything
    RunPosition begin = {};
    DataPosition anew = {}; ///< where all rows of a batch began, or begin, with their films

    [[nodiscard]] bool wantsTimes(std::int64_t step) const {
        return std::ranges::any_of(listeners, [step](const TrainerListener* listener) {
            return listener->wantsTimes(step);
        });
    }
};

enum class TrainingEnd : std::uint8_t { done, target, stopped, notFinite };

struct TrainingOutcome {
    TrainingEnd end = TrainingEnd::done;
    std::int64_t steps = 0;
    StepReport last;
    StepReport evaluation; ///< the last one
    /// Where it arose, when a number was not finite and could be traced.
    std::optional<NotFinite> culprit = {};
};

/// Error{numerics} of a training that came to a number that is not finite: where, as far as that is
/// known. `more` ends the remedy.
void ensureFinite(const TrainingOutcome& outcome, std::string_view more = {});

class Trainer {
public:
    explicit Trainer(TrainerSetup setup);
    ~Trainer();

    TrainingOutcome train();
    /// Over all of the evaluation's examples; means are weighted by their counts.
    StepReport evaluate(const SourcePointer& source, std::int64_t step);
    /// The next training step, with all that layers make and all weights after it copied out, and
    /// no word to anybody: what a proof looks at. Not mixed with `train`.
    std::vector<ObservedValue> observedStep(StepReport& report, const StepLook& look = {});
    void addListener(TrainerListener& listener);
    [[nodiscard]] std::int64_t firstStep() const;
    /// The last whole step and where the data stood after it.
    [[nodiscard]] RunPosition stand() const;
    /// Why the slots, or what was told of them, are not those of `stand`; empty: they are.
    [[nodiscard]] std::string whyNotWhole() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace weft
