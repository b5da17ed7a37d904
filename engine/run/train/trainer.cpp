// SPDX-License-Identifier: Apache-2.0
#include "run/train/trainer.h"

#include "compile/learning_rate.h"
#include "run/checkpoint/checkpoint.h"
#include "run/execute/feeder.h"
#include "run/train/count_zeros.h"
#include "run/train/data_waits.h"
#include "run/train/refuse_ids.h"
#include <weft/error.h>
#include <weft/run_figures.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <thread>
#include <utility>

namespace weft {

namespace {

double secondsSince(std::int64_t begin) {
    return static_cast<double>(nowNanoseconds() - begin) * 1e-9;
}

/// The numbers of an evaluation: means over all its batches, weighted by their rows. Rows that
/// batches leave out, as with films of unequal length, do not count.
class MeanReport {
public:
    void add(const StepReport& part, std::int64_t rows);
    /// Returns loss, rows and metrics so far, without metrics for which no batch had a number.
    [[nodiscard]] StepReport total() const;

private:
    StepReport total_;
    std::vector<std::int64_t> measured_; ///< per metric: rows of the batches that have a number
};

void MeanReport::add(const StepReport& part, std::int64_t rows) {
    const double share = static_cast<double>(rows) / static_cast<double>(total_.rows + rows);
    total_.loss += share * (part.loss - total_.loss);
    total_.rows += rows;
    total_.metrics.resize(part.metrics.size(),
                          {std::string(), std::numeric_limits<double>::quiet_NaN()});
    measured_.resize(part.metrics.size());
    for (std::size_t k = 0; k < part.metrics.size(); ++k) {
        auto& [name, mean] = total_.metrics[k];
        const double value = part.metrics[k].second;
        name = part.metrics[k].first;
        // A batch may have no number, such as decibels without a signal.
        if (std::isnan(value)) {
            continue;
        }
        measured_[k] += rows;
        const double before = measured_[k] == rows ? 0 : mean;
        mean = before +
               static_cast<double>(rows) / static_cast<double>(measured_[k]) * (value - before);
    }
}

StepReport MeanReport::total() const {
    StepReport total = total_;
    std::erase_if(total.metrics, [](const auto& metric) { return std::isnan(metric.second); });
    return total;
}

} // namespace

struct Trainer::State {
    explicit State(TrainerSetup given)
        : setup(std::move(given)),
          runner(*setup.programSet, *setup.pool),
          batcher(trainingBatcher(setup.design->data, setup.training->size(),
                                  static_cast<std::uint64_t>(setup.design->training.seed),
                                  setup.training->order(), setup.countedFrom)),
          feeder(setup.design->data, *setup.pool, setup.training, batcher,
                 runner.variantsByRows(Mode::train)),
          position(setup.begin) {
        for (const auto& [origin, name] :
             setup.programSet->members.front().plan->graph->layerNames) {
            layers.push_back(origin);
        }
        for (std::size_t k = 0; k < setup.programSet->members.size(); ++k) {
            observedSteps.push_back(observedStepOf(k));
        }
        for (const StepKindCount& kind : trainingSteps(setup.design->training)) {
            kinds.push_back(kind.does);
        }
        const auto& slots = setup.programSet->members.front().plan->graph->slots;
        countsUse =
            !setup.evaluation && !std::ranges::all_of(slots, &std::string::empty, &Slot::zerosName);
        planSteps();
        stood = position;
    }

    void planSteps() {
        const TrainingSettings& training = setup.design->training;
        const auto perEpoch = static_cast<double>(batcher.stepsPerEpoch());
        planned = std::numeric_limits<std::int64_t>::max();
        if (training.steps > 0) {
            planned = training.steps;
        }
        if (training.epochs > 0) {
            planned =
                std::min(planned, static_cast<std::int64_t>(std::ceil(training.epochs * perEpoch)));
        }
        if (training.steps <= 0 && training.epochs <= 0 && training.seconds <= 0 &&
            training.targetMetric.empty()) {
            planned = batcher.stepsPerEpoch();
        }
        plannedUpdates = meansAppliedIn(training, planned);
    }

    [[nodiscard]] const Variant& member(std::size_t index) const {
        return setup.programSet->members[index];
    }

    /// Returns the observed variant of variant `index`, or `index` if there is none.
    [[nodiscard]] std::size_t observedStepOf(std::size_t index) const {
        VariantRequest wanted = member(index).request;
        wanted.isObserved = true;
        const auto& members = setup.programSet->members;
        const auto found = std::ranges::find(members, wanted, &Variant::request);
        return found == members.end() ? index : static_cast<std::size_t>(found - members.begin());
    }

    struct Due {
        Batch batch;
        std::size_t member = 0;
        double rate = 0;
        int looksAt = 0; ///< 1 + index of the observed layer, like `observes`
        std::vector<ObservedValue> observed = {};
    };
    Due feedNext() {
        const TrainingSettings& training = setup.design->training;
        const StepDue due = stepDue(training, position.step + 1);
        const auto kind = std::ranges::find(kinds, due.does);
        ensure(kind != kinds.end(), "the kind of a step is a known one");
        const Feeder::FedBatch fed = feeder.next(static_cast<std::size_t>(kind - kinds.begin()));
        const double rate = learningRate(training, due.applied, plannedUpdates);
        ++position.step;
        position.data = batcher.after(fed.batch);
        runner.setArguments(fed.member, position.step, due.applied + 1, rate);
        return {.batch = fed.batch, .member = fed.member, .rate = rate, .looksAt = observes};
    }

    /// Replaces the variant of the due step by its observed variant, if there is one, and copies
    /// the inputs to it.
    void swapIn(Due& due) const {
        const std::size_t observed = observedSteps[due.member];
        for (std::size_t w = 0; observed != due.member && w < setup.pool->size(); ++w) {
            const auto& from = setup.pool->program(w, due.member).program().feeds;
            const auto& to = setup.pool->program(w, observed).program().feeds;
            // Both lie in the same arena, so read all inputs before writing any.
            std::vector<std::vector<std::byte>> fed(from.size());
            for (std::size_t f = 0; f < from.size(); ++f) {
                if (from[f].isHeld) {
                    fed[f].resize(static_cast<std::size_t>(from[f].buffer.size.count));
                    setup.pool->copyOut(w, due.member, from[f].buffer, fed[f].data());
                }
            }
            for (std::size_t f = 0; f < to.size(); ++f) {
                if (to[f].isHeld) {
                    setup.pool->copyIn(w, observed, to[f].buffer, fed[f].data());
                }
            }
        }
        due.member = observed;
    }

    void report(const Due& due, StepReport& report) const {
        report.step = position.step;
        report.epoch =
            static_cast<double>(position.step) / static_cast<double>(batcher.stepsPerEpoch());
        report.learningRate = due.rate;
        report.rows = due.batch.rows;
        runner.readResults(due.member, report);
    }

    /// Takes one step as the last decision asks for. Listeners are not notified yet.
    Due takeStep(StepReport& made) {
        const std::int64_t begin = nowNanoseconds();
        Due due = feedNext();
        const double waited = secondsSince(begin);
        const std::vector<NamedValue> values = wantedOf(due);
        isBetween = true;
        if (values.empty()) {
            setup.pool->run(due.member, setup.wantsTimes(position.step));
        } else {
            due.observed = observe(*setup.pool, member(due.member), due.member, values, setup.rank,
                                   setup.fetch);
        }
        observes = 0;
        report(due, made);
        made.seconds = secondsSince(begin);
        if (const auto text = waits.add(made.seconds, waited)) {
            setup.say(*text);
        }
        return due;
    }

    /// Notifies listeners. From here on the step counts as taken, and a checkpoint of it may be
    /// saved.
    void notifyListeners(const Due& due, const StepReport& made) {
        for (TrainerListener* listener : setup.listeners) {
            listener->onStep(made, *setup.pool, due.member);
        }
        stood = position;
        stood.isEvaluationDue =
            setup.evaluation && isDue(due, setup.design->training.evaluateEvery);
        isBetween = false;
        keep(due);
    }

    /// Takes the decision after a step and notifies listeners. Counts that are reported at the end
    /// of a run need the decision first.
    StepDecision decideAfter(const Due& due, StepReport& made, bool timeIsUp) {
        if (!countsUse) {
            notifyListeners(due, made);
        }
        StepDecision mine = commands();
        mine.notFinite = !made.isFinite();
        mine.timeIsUp = timeIsUp;
        if (!countsUse) {
            return decide(mine);
        }
        StepDecision decision;
        bool isCounted = isCountDue(due);
        try {
            decision = decide(mine);
            isCounted = isCounted || decision.stop || decision.timeIsUp;
            isCounted ? countUse(made) : void();
        } catch (const Error&) {
            notifyListeners(due, made); // the step was taken, although a rank is lost
            isCountLacking = isCounted;
            throw;
        }
        notifyListeners(due, made);
        return decision;
    }

    /// True if an action with this interval (0: once per epoch) is due after the step.
    [[nodiscard]] bool isDue(const Due& due, std::int64_t every) const {
        return every > 0 ? position.step % every == 0
                         : batcher.at(position.data).position.epoch != due.batch.position.epoch;
    }

    /// True if counts of the training are reported now and reset, if no evaluation reports them:
    /// where an evaluation would be, with each checkpoint of the design's interval, and at the end.
    [[nodiscard]] bool isCountDue(const Due& due) const {
        const TrainingSettings& training = setup.design->training;
        return position.step == planned || isDue(due, training.evaluateEvery) ||
               isDue(due, training.checkpointEvery);
    }

    void countUse(StepReport& made) const {
        const auto counts = countZeros(*setup.pool, setup.rank, setup.fetch, setup.share);
        made.metrics.insert(made.metrics.end(), counts.begin(), counts.end());
    }

    [[nodiscard]] bool isSeriesDue() const {
        const std::int64_t every = setup.design->training.seriesEvery;
        return every > 0 && position.step % every == 0;
    }

    [[nodiscard]] bool isObserved(const Due& due, Origin layer) const {
        return due.looksAt > 0 && layers[static_cast<std::size_t>(due.looksAt) - 1] == layer;
    }

    /// Returns the values to observe in the due step. A layer needs the observed variant;
    /// per-iteration numbers exist in any variant.
    std::vector<NamedValue> wantedOf(Due& due) const {
        std::vector<NamedValue> values;
        if (due.looksAt > 0) {
            swapIn(due);
            values = valuesOf(member(due.member), layers[static_cast<std::size_t>(due.looksAt) - 1],
                              Weights::before);
        }
        if (isSeriesDue() && setup.keepSeries) {
            std::ranges::copy_if(
                seriesOf(member(due.member)), std::back_inserter(values),
                [&](const NamedValue& series) { return !isObserved(due, series.layer); });
        }
        return values;
    }

    void keep(const Due& due) const {
        for (const ObservedValue& value : due.observed) {
            if (setup.rank == 0 && value.isSeries && isSeriesDue() && setup.keepSeries) {
                setup.keepSeries(position.step, value.name, value.value);
            }
            if (!isObserved(due, value.layer)) {
                continue;
            }
            const std::string path = setup.rank == 0 && setup.keepTensor
                                         ? setup.keepTensor(position.step, value.name, value.value)
                                         : std::string();
            for (TrainerListener* listener : setup.listeners) {
                path.empty() ? void() : listener->onTensor(position.step, path);
            }
        }
    }

    /// Returns 1 + the index of the layer that somebody wants to observe; 0: none, or no layer of
    /// that name.
    int wantedLayer() {
        const std::string name = setup.controls->observe.take();
        if (name.empty()) {
            return 0;
        }
        const Graph& graph = *member(0).plan->graph;
        for (std::size_t k = 0; k < layers.size(); ++k) {
            if (graph.layerName(layers[k]) == name) {
                return static_cast<int>(k) + 1;
            }
        }
        setup.say("there is no layer \"" + name + "\" to observe");
        return 0;
    }

    StepDecision commands() {
        if (setup.controls == nullptr) {
            return {};
        }
        RunControls& controls = *setup.controls;
        for (std::string text = controls.received.take(); !text.empty();
             text = controls.received.take()) {
            setup.say(text);
        }
        // A step that is requested in a pause makes this decision not pause.
        const bool isHeld = controls.mustWait && controls.mustWait();
        const bool pauses = isHeld || (controls.pause && !controls.takeStep());
        return {.stop = controls.stop,
                // If the disk has no room for the log, a checkpoint would find none either.
                .save = !isHeld && controls.save.exchange(false),
                .pause = pauses && !controls.stop,
                // Each step observes one layer; further commands wait for the next step.
                .observe = observes == 0 ? wantedLayer() : 0};
    }

    /// Takes the decision of all ranks. A layer to observe is observed in the step that ends a
    /// pause.
    StepDecision decide(const StepDecision& mine) {
        const StepDecision decision = setup.decide ? setup.decide(mine) : mine;
        observes = decision.observe > 0 ? decision.observe : observes;
        return decision;
    }

    /// Repeats the decision while any rank pauses, so that ranks stay in lockstep, and saves when
    /// asked.
    StepDecision pauseWhileAsked(StepDecision decision) {
        if (!decision.pause || decision.stop) {
            return decision;
        }
        reportPause(true);
        while (decision.pause && !decision.stop) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            decision = decide(commands());
            decision.save ? checkpoint() : void();
        }
        reportPause(false);
        return decision;
    }

    void reportPause(bool isPaused) const {
        if (setup.controls != nullptr) {
            setup.controls->isPaused = isPaused;
        }
        for (TrainerListener* listener : setup.listeners) {
            listener->onPause(isPaused, position.step);
        }
    }

    /// Saves a checkpoint unless this step already has one.
    void checkpoint() {
        if (std::exchange(savedAt, position.step) == position.step) {
            return;
        }
        const std::string path = setup.save ? setup.save(position.step, position.data) : "";
        if (path.empty()) {
            return;
        }
        for (TrainerListener* listener : setup.listeners) {
            listener->onCheckpoint(position.step, path);
        }
    }

    [[nodiscard]] bool reachedTarget(const StepReport& evaluation) const {
        const TrainingSettings& training = setup.design->training;
        if (training.targetMetric.empty()) {
            return false;
        }
        if (isMainMetric(training.targetMetric)) {
            return evaluation.loss <= training.target;
        }
        const auto isWanted = [&](const Result& result) {
            return result.name == training.targetMetric && isLessBetter(result);
        };
        const bool isLess = std::ranges::any_of(setup.programSet->members, [&](const auto& each) {
            return each.request.mode == Mode::evaluate &&
                   std::ranges::any_of(each.plan->graph->results, isWanted);
        });
        return std::ranges::any_of(evaluation.metrics, [&](const auto& metric) {
            return metric.first == training.targetMetric &&
                   (isLess ? metric.second <= training.target : metric.second >= training.target);
        });
    }

    /// Looks for the origin in the observed variant, and in the normal variant if the observed one
    /// gives only finite numbers.
    std::optional<NotFinite> findCulprit() {
        if (!setup.restore) {
            return std::nullopt;
        }
        const std::int64_t wrong = position.step;
        std::optional<NotFinite> found = lookAtStep(wrong, true);
        return found || isEnding || observedSteps[0] == 0 ? found : lookAtStep(wrong, false);
    }

    /// Repeats the run from the restored slots to the failing step with the same batches, arguments
    /// and random numbers, and observes that step before its update. All steps of a period are
    /// observed, since any of them can spoil the mean.
    std::optional<NotFinite> lookAtStep(std::int64_t wrong, bool swapsIn) {
        setup.say("step " + std::to_string(wrong) +
                  " computed NaN or infinity; searching for the op that caused it");
        position = setup.restore();
        stood = position;
        isBetween = false;
        feeder.start(position.data, wrong - position.step);
        const std::int64_t begin = periodBegin(setup.design->training, wrong);
        std::optional<NotFinite> found;
        while (position.step < wrong) {
            Due due = feedNext();
            isBetween = true;
            if (position.step <= begin) {
                setup.pool->run(due.member);
            } else {
                swapsIn ? swapIn(due) : void();
                found = findNotFinite(*setup.pool, member(due.member), due.member, setup.rank,
                                      setup.fetch, setup.share);
            }
            if (found || position.step == wrong) {
                break;
            }
            stood = position;
            isBetween = false;
            if (decide(commands()).stop) {
                isEnding = true;
                break;
            }
        }
        return found;
    }

    /// Makes the evaluation that is due after the last step. True if its target is reached.
    bool evaluateIfDue(Trainer& trainer, TrainingOutcome& outcome) {
        if (!setup.evaluation || !stood.isEvaluationDue) {
            return false;
        }
        isEvaluating = true;
        outcome.evaluation = trainer.evaluate(setup.evaluation, position.step);
        isEvaluating = false;
        stood.isEvaluationDue = false;
        return reachedTarget(outcome.evaluation);
    }

    [[nodiscard]] std::string whyNotConsistent() const {
        const WorkerPool& pool = *setup.pool;
        const bool hasEnded = pool.hasLastRunCompleted();
        const bool isMoved = !hasEnded && pool.hasTouchedSlots();
        if (isBetween && (hasEnded || isMoved)) {
            return fmt::format("the update of step {} had started", stood.step + 1);
        }
        const auto& slots = member(0).plan->graph->slots;
        if (isMoved || (isEvaluating && std::ranges::any_of(slots, &Slot::resetsAfterEvaluation))) {
            return fmt::format("validation after step {} had started", stood.step);
        }
        return isCountLacking
                   ? fmt::format("the counters up to step {} were not reported", stood.step)
                   : std::string();
    }

    /// Does what the design requests after a step. True if the target is reached.
    bool evaluateAndSave(const Due& due, bool isAsked, Trainer& trainer, TrainingOutcome& outcome) {
        const TrainingSettings& training = setup.design->training;
        if (evaluateIfDue(trainer, outcome)) {
            return true;
        }
        if (isAsked || isDue(due, training.checkpointEvery)) {
            checkpoint();
        }
        return false;
    }

    TrainerSetup setup;
    StepRunner runner;
    Batcher batcher;
    Feeder feeder;
    DataWaits waits;
    RunPosition position;                   ///< completed steps
    std::vector<Origin> layers;             ///< a decision names a layer by its index here
    std::vector<std::size_t> observedSteps; ///< per variant: its observed variant, or itself
    /// Kinds of steps, in the order of the variants of one batch size.
    std::vector<TrainingStep> kinds;
    /// A stop was requested during the search for a number that is not finite.
    bool isEnding = false;
    int observes = 0; ///< 1 + index of the layer to observe in the next step
    std::int64_t planned = 0;
    std::int64_t plannedUpdates = 0; ///< updates applied by the planned end
    std::int64_t savedAt = -1;       ///< the step of this attempt's last checkpoint
    RunPosition stood;               ///< after the last step that listeners know
    bool isBetween = false;          ///< a step has begun and listeners do not know it yet
    bool isEvaluating = false;
    bool isCountLacking = false; ///< counts were due with the last step and not reported
    bool isFed = false;          ///< observedStep has started the feeder
    bool countsUse = false;      ///< the training reports counts, because no evaluation does
};

Trainer::Trainer(TrainerSetup setup) : state_(std::make_unique<State>(std::move(setup))) {}
Trainer::~Trainer() = default;

void Trainer::addListener(TrainerListener& listener) {
    state_->setup.listeners.push_back(&listener);
}
std::int64_t Trainer::firstStep() const { return state_->setup.begin.step; }
RunPosition Trainer::position() const { return state_->stood; }
std::string Trainer::whyNotConsistent() const { return state_->whyNotConsistent(); }

TrainingOutcome Trainer::train() {
    State& s = *state_;
    const TrainingSettings& training = s.setup.design->training;
    TrainingOutcome outcome{.steps = s.position.step, .last = {}, .evaluation = {}};
    const std::int64_t begin = nowNanoseconds();
    StepReport report;
    s.decide({.observe = s.setup.controls == nullptr ? 0 : s.wantedLayer()});
    s.feeder.start(s.position.data, s.planned - s.position.step);
    if (s.evaluateIfDue(*this, outcome)) {
        s.checkpoint();
        outcome.end = TrainingEnd::target;
        return outcome;
    }
    while (s.position.step < s.planned) {
        const State::Due due = s.takeStep(report);
        outcome.steps = s.position.step;
        StepDecision decision = s.decideAfter(
            due, report, training.seconds > 0 && secondsSince(begin) >= training.seconds);
        outcome.last = report;
        if (decision.notFinite) {
            throwOnInvalidIds(*s.setup.pool, due.member);
            outcome.end = TrainingEnd::notFinite;
            outcome.culprit = s.findCulprit();
            return outcome;
        }
        if (s.evaluateAndSave(due, decision.save, *this, outcome)) {
            outcome.end = TrainingEnd::target;
            break;
        }
        const bool timeIsUp = decision.timeIsUp;
        decision = s.pauseWhileAsked(decision);
        if (decision.stop) {
            outcome.end = TrainingEnd::stopped;
            break;
        }
        if (timeIsUp) {
            break;
        }
    }
    s.checkpoint();
    return outcome;
}

std::vector<ObservedValue> Trainer::observedStep(StepReport& report,
                                                 const ObservationOptions& look) {
    State& s = *state_;
    if (!std::exchange(s.isFed, true)) {
        s.feeder.start(s.position.data, -1);
    }
    const State::Due due = s.feedNext();
    const Variant& member = s.member(due.member);
    std::vector<NamedValue> values;
    for (const Origin layer : s.layers) {
        std::ranges::move(valuesOf(member, layer, Weights::after), std::back_inserter(values));
    }
    look.addWanted ? look.addWanted(*member.plan->graph, values) : void();
    auto observed = observe(*s.setup.pool, member, due.member, values, s.setup.rank, s.setup.fetch,
                            look.change);
    s.report(due, report);
    return observed;
}

StepReport Trainer::evaluate(const SourcePointer& source, std::int64_t step) {
    State& s = *state_;
    const bool remembers = needsFullBatches(*s.member(0).plan->graph);
    // Layer state needs full batches: a short batch is dropped, unless it is the only one.
    const bool isLess = source->size() < s.setup.design->data.batch;
    const LastBatch last = !remembers ? LastBatch::keep
                           : isLess   ? LastBatch::wrap
                                      : LastBatch::drop;
    const Batcher batcher =
        evaluationBatcher(s.setup.design->data, source->size(), source->order(), last);
    Feeder feeder(s.setup.design->data, *s.setup.pool, source, batcher,
                  s.runner.variantsByRows(Mode::evaluate));
    feeder.start({}, batcher.stepsPerEpoch());
    MeanReport mean;
    StepReport part;
    DataPosition position;
    const std::int64_t started = nowNanoseconds();
    while (position.epoch == 0) {
        const auto [batch, member] = feeder.next();
        s.runner.setArguments(member, step, 0, 0);
        s.setup.pool->run(member, false);
        s.runner.readResults(member, part);
        if (!std::isfinite(part.loss)) {
            throwOnInvalidIds(*s.setup.pool, member);
        }
        mean.add(part, batch.rows);
        position = batcher.at(batcher.after(batch)).position;
    }
    StepReport total = mean.total();
    total.step = step;
    resetAfterEvaluation(*s.setup.pool, static_cast<std::uint64_t>(s.setup.design->training.seed));
    total.seconds = secondsSince(started);
    total.epoch = static_cast<double>(step) / static_cast<double>(s.batcher.stepsPerEpoch());
    for (TrainerListener* listener : s.setup.listeners) {
        listener->onEvaluation(total);
    }
    return total;
}

void ensureFinite(const TrainingOutcome& outcome, std::string_view more) {
    if (outcome.end != TrainingEnd::notFinite) {
        return;
    }
    const NotFinite culprit = outcome.culprit.value_or(
        NotFinite{.layer = {}, .op = {}, .text = "the loss or a gradient is NaN or infinite"});
    throw Error(ErrorCode::numerics, Where{.layer = culprit.layer, .op = culprit.op},
                fmt::format("{}, in step {}", culprit.text, outcome.steps),
                fmt::format("{}{}", culprit.remedy, more));
}

} // namespace weft
