// SPDX-License-Identifier: Apache-2.0
#pragma once
// The loop of a run: batches in, programs run, results out, and by the verdict of all ranks on to
// the next step. It owns the position (step, data), not the numbers: those live in the workers'
// slots. Whoever wants to know what happens listens.

#include "data/batcher.h"
#include "data/source.h"
#include "run/family.h"
#include "run/verdict.h"
#include "run/worker_pool.h"
#include <weft/design.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace weft {

/// What one training step or one evaluation came to. The names live as long as the trainer.
struct StepReport {
    std::int64_t step = 0; ///< counts from 1
    double epoch = 0;      ///< of the data, with its fraction
    double loss = 0;
    double learningRate = 0;
    double gradientNorm = 0;
    double seconds = 0;
    std::int64_t rows = 0;                               ///< examples
    std::vector<std::pair<std::string, double>> metrics; ///< other losses, accuracies
};

/// Told on the trainer's thread; must return at once.
class TrainerListener {
public:
    virtual ~TrainerListener() = default;
    virtual void onStep(const StepReport& report, const WorkerPool& pool, std::size_t member) = 0;
    virtual void onEvaluation(const StepReport& report) = 0;
    virtual void onCheckpoint(std::int64_t step, const std::string& path) = 0;
    virtual void onMessage(const std::string& text) = 0;
};

/// Wishes from other threads; they take effect by the verdict, at the same step on every rank.
struct RunControls {
    std::atomic<bool> stop = false;
    std::atomic<bool> pause = false;
    std::atomic<bool> save = false;
    std::atomic<bool> stepOnce = false; ///< of a paused run
    std::atomic<bool> isPaused = false; ///< told by the trainer
    /// Asked with every verdict, where there is one to ask: whether the run must wait, as when its
    /// log can keep no more.
    std::function<bool()> mustWait = {};
};

struct TrainerSetup {
    const Design* design = nullptr;
    const Family* family = nullptr;
    WorkerPool* pool = nullptr;
    SourcePointer training;
    SourcePointer evaluation; ///< nullptr: never evaluated
    std::vector<TrainerListener*> listeners;
    Decide decide = {};
    /// Writes a checkpoint and names it; empty: nobody keeps any.
    std::function<std::string(std::int64_t step, DataPosition position)> save = {};
    RunControls* controls = nullptr; ///< nullptr: nobody asks for anything
    std::int64_t firstStep = 0;
    DataPosition position = {};
    bool savesAtEnd = true;
};

enum class TrainingEnd : std::uint8_t { done, target, stopped, notFinite };

struct TrainingOutcome {
    TrainingEnd end = TrainingEnd::done;
    std::int64_t steps = 0;
    StepReport last;
    StepReport evaluation; ///< the last one
};

/// How far a training has come.
struct Stand {
    std::int64_t step = 0;
    DataPosition position = {};
};

class Trainer {
public:
    explicit Trainer(TrainerSetup setup);
    ~Trainer();

    TrainingOutcome train();
    /// Over all of the evaluation's examples; means are weighted by their counts.
    StepReport evaluate(const SourcePointer& source, std::int64_t step);
    void addListener(TrainerListener& listener);
    [[nodiscard]] std::int64_t firstStep() const;
    /// The last whole step and where the data stood after it.
    [[nodiscard]] Stand stand() const;
    /// Steps the run is planned for.
    [[nodiscard]] std::int64_t plannedSteps() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The members a run over so many examples needs that begins at `from`, the full training batch
/// first.
[[nodiscard]] std::vector<MemberRequest> membersFor(const Design& design,
                                                    std::int64_t trainingExamples,
                                                    std::int64_t evaluationExamples,
                                                    DataPosition from = {});

} // namespace weft
