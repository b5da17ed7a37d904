// SPDX-License-Identifier: Apache-2.0
#include "run/trainer.h"

#include "run/feeder.h"
#include "run/learning_rate.h"
#include <weft/error.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <thread>

namespace weft {

namespace {

Batcher batcherFor(const Design& design, const SourcePointer& source) {
    return trainingBatcher(design.data, source->size(),
                           static_cast<std::uint64_t>(design.training.seed));
}

/// By the rows of a batch.
std::map<std::int64_t, std::size_t> membersOf(const Family& family, Mode mode) {
    std::map<std::int64_t, std::size_t> members;
    for (std::size_t k = 0; k < family.members.size(); ++k) {
        if (family.members[k].request.mode == mode) {
            members.emplace(family.members[k].request.batch, k);
        }
    }
    return members;
}

/// The numbers of one step's results, in the order of the graph.
struct ResultReader {
    std::vector<std::size_t> scalars;
    std::size_t loss = std::numeric_limits<std::size_t>::max();
    std::size_t norm = std::numeric_limits<std::size_t>::max();

    explicit ResultReader(const Graph& graph) {
        for (std::size_t k = 0; k < graph.results.size(); ++k) {
            const Result& result = graph.results[k];
            if (result.kind == ResultKind::norm) {
                norm = k;
            } else if (result.kind == ResultKind::total) {
                loss = k;
            } else if (result.kind == ResultKind::loss || result.kind == ResultKind::metric) {
                scalars.push_back(k);
            }
        }
    }
};

} // namespace

struct Trainer::State {
    explicit State(TrainerSetup given)
        : setup(std::move(given)),
          batcher(batcherFor(*setup.design, setup.training)),
          feeder(setup.design->data, *setup.pool, setup.training, batcher,
                 membersOf(*setup.family, Mode::train)) {
        for (const FamilyMember& member : setup.family->members) {
            readers.emplace_back(*member.plan->graph);
        }
        planSteps();
        stood = {setup.firstStep, setup.position};
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
    }

    void setArguments(std::size_t member, std::int64_t step, double rate) {
        const Graph& graph = *setup.family->members[member].plan->graph;
        for (std::size_t w = 0; w < setup.pool->size(); ++w) {
            for (std::size_t f = 0; f < graph.feeds.size(); ++f) {
                const Port& port = setup.pool->program(w, member).program().feeds[f];
                if (graph.feeds[f].kind != FeedKind::argument || !port.isHeld) {
                    continue;
                }
                const std::string& name = graph.feeds[f].name;
                const double value = name == "learning_rate" ? rate
                                     : name == "step"        ? static_cast<double>(step)
                                                             : 1.0;
                double bytes = 0;
                convertElements(DType::f64, reinterpret_cast<const std::byte*>(&value),
                                port.part.dtype, reinterpret_cast<std::byte*>(&bytes), 1);
                setup.pool->copyIn(w, member, port.buffer, &bytes);
            }
        }
    }

    double scalar(std::size_t member, std::size_t result) const {
        const Port& port = setup.pool->program(0, member).program().results[result];
        ensure(port.isHeld && port.part.elements() == 1,
               "a number is asked for that this worker has not");
        double raw = 0;
        double value = 0;
        setup.pool->copyOut(0, member, port.buffer, &raw);
        convertElements(port.part.dtype, reinterpret_cast<const std::byte*>(&raw), DType::f64,
                        reinterpret_cast<std::byte*>(&value), 1);
        return value;
    }

    void readResults(std::size_t member, StepReport& report) const {
        const ResultReader& reader = readers[member];
        const Graph& graph = *setup.family->members[member].plan->graph;
        const auto none = std::numeric_limits<std::size_t>::max();
        report.loss = reader.loss == none ? 0 : scalar(member, reader.loss);
        report.gradientNorm = reader.norm == none ? 0 : std::sqrt(scalar(member, reader.norm));
        report.metrics.resize(reader.scalars.size());
        for (std::size_t k = 0; k < reader.scalars.size(); ++k) {
            report.metrics[k].first = graph.results[reader.scalars[k]].name;
            report.metrics[k].second = scalar(member, reader.scalars[k]);
        }
    }

    Verdict wishes() {
        if (setup.controls == nullptr) {
            return {};
        }
        RunControls& controls = *setup.controls;
        // Whoever asks for one step of a paused run lets go once and holds again.
        const bool isHeld = controls.mustWait && controls.mustWait();
        const bool pauses = isHeld || (controls.pause && !controls.stepOnce.exchange(false));
        return {.stop = controls.stop,
                .save = controls.save.exchange(false),
                .pause = pauses && !controls.stop};
    }

    Verdict decide(const Verdict& mine) const { return setup.decide ? setup.decide(mine) : mine; }

    /// Ranks stay in step while they pause: they ask each other until nobody wants it any more.
    Verdict pauseWhileAsked(Verdict verdict) {
        while (verdict.pause && !verdict.stop) {
            setup.controls == nullptr ? void() : setup.controls->isPaused.store(true);
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            const bool saves = verdict.save;
            verdict = decide(wishes());
            verdict.save = verdict.save || saves;
        }
        setup.controls == nullptr ? void() : setup.controls->isPaused.store(false);
        return verdict;
    }

    void checkpoint(std::int64_t step, DataPosition position) const {
        if (!setup.save) {
            return;
        }
        const std::string path = setup.save(step, position);
        if (path.empty()) {
            return;
        }
        for (TrainerListener* listener : setup.listeners) {
            listener->onCheckpoint(step, path);
        }
    }

    bool reachedTarget(const StepReport& evaluation) const {
        const TrainingSettings& training = setup.design->training;
        if (training.targetMetric.empty()) {
            return false;
        }
        if (training.targetMetric == "loss") {
            return evaluation.loss <= training.target;
        }
        return std::ranges::any_of(evaluation.metrics, [&](const auto& metric) {
            return metric.first == training.targetMetric && metric.second >= training.target;
        });
    }

    TrainerSetup setup;
    Batcher batcher;
    Feeder feeder;
    std::vector<ResultReader> readers;
    std::int64_t planned = 0;
    Stand stood; ///< after the last whole step
};

Trainer::Trainer(TrainerSetup setup) : state_(std::make_unique<State>(std::move(setup))) {}
Trainer::~Trainer() = default;

void Trainer::addListener(TrainerListener& listener) {
    state_->setup.listeners.push_back(&listener);
}
std::int64_t Trainer::firstStep() const { return state_->setup.firstStep; }
Stand Trainer::stand() const { return state_->stood; }
std::int64_t Trainer::plannedSteps() const { return state_->planned; }

TrainingOutcome Trainer::train() {
    State& s = *state_;
    const TrainingSettings& training = s.setup.design->training;
    const auto perEpoch = static_cast<double>(s.batcher.stepsPerEpoch());
    TrainingOutcome outcome{.steps = s.setup.firstStep, .last = {}, .evaluation = {}};
    DataPosition position = s.setup.position;
    const std::int64_t begin = nowNanoseconds();
    StepReport report;
    s.feeder.start(position, s.planned - outcome.steps);
    while (outcome.steps < s.planned) {
        const std::int64_t started = nowNanoseconds();
        const auto [batch, member] = s.feeder.next();
        const std::int64_t step = outcome.steps + 1;
        const double rate = learningRate(training, step - 1, s.planned);
        s.setArguments(member, step, rate);
        s.setup.pool->run(member);
        position = s.batcher.after(batch);
        s.stood = {step, position};
        report.step = step;
        report.epoch = static_cast<double>(step) / perEpoch;
        report.learningRate = rate;
        report.rows = batch.rows;
        s.readResults(member, report);
        report.seconds = static_cast<double>(nowNanoseconds() - started) * 1e-9;
        outcome.steps = step;
        outcome.last = report;
        for (TrainerListener* listener : s.setup.listeners) {
            listener->onStep(report, *s.setup.pool, member);
        }
        Verdict mine = s.wishes();
        mine.notFinite = !std::isfinite(report.loss) || !std::isfinite(report.gradientNorm);
        mine.timeIsUp = training.seconds > 0 &&
                        static_cast<double>(nowNanoseconds() - begin) * 1e-9 >= training.seconds;
        Verdict verdict = s.decide(mine);
        if (verdict.notFinite) {
            outcome.end = TrainingEnd::notFinite;
            return outcome;
        }
        const bool epochEnds = s.batcher.at(position).position.epoch != batch.position.epoch;
        const auto due = [&](std::int64_t every) {
            return every > 0 ? step % every == 0 : epochEnds;
        };
        if (s.setup.evaluation && due(training.evaluateEvery)) {
            outcome.evaluation = evaluate(s.setup.evaluation, step);
            if (s.reachedTarget(outcome.evaluation)) {
                outcome.end = TrainingEnd::target;
                break;
            }
        }
        if (verdict.save || due(training.checkpointEvery)) {
            s.checkpoint(step, position);
        }
        const bool timeIsUp = verdict.timeIsUp;
        verdict = s.pauseWhileAsked(verdict);
        if (verdict.stop) {
            outcome.end = TrainingEnd::stopped;
            break;
        }
        if (timeIsUp) {
            break;
        }
    }
    if (s.setup.savesAtEnd) {
        s.checkpoint(outcome.steps, position);
    }
    return outcome;
}

StepReport Trainer::evaluate(const SourcePointer& source, std::int64_t step) {
    State& s = *state_;
    const Batcher batcher = evaluationBatcher(s.setup.design->data, source->size());
    Feeder feeder(s.setup.design->data, *s.setup.pool, source, batcher,
                  membersOf(*s.setup.family, Mode::evaluate));
    feeder.start({}, batcher.stepsPerEpoch());
    StepReport total{.step = step, .metrics = {}};
    StepReport part;
    DataPosition position;
    const std::int64_t started = nowNanoseconds();
    while (position.epoch == 0) {
        const auto [batch, member] = feeder.next();
        s.setArguments(member, step, 0);
        s.setup.pool->run(member);
        s.readResults(member, part);
        const auto weight = static_cast<double>(batch.rows) / static_cast<double>(source->size());
        total.loss += weight * part.loss;
        total.metrics.resize(part.metrics.size());
        for (std::size_t k = 0; k < part.metrics.size(); ++k) {
            total.metrics[k].first = part.metrics[k].first;
            total.metrics[k].second += weight * part.metrics[k].second;
        }
        total.rows += batch.rows;
        position = batcher.at(batcher.after(batch)).position;
    }
    total.seconds = static_cast<double>(nowNanoseconds() - started) * 1e-9;
    total.epoch = static_cast<double>(step) / static_cast<double>(s.batcher.stepsPerEpoch());
    for (TrainerListener* listener : s.setup.listeners) {
        listener->onEvaluation(total);
    }
    return total;
}

std::vector<MemberRequest> membersFor(const Design& design, std::int64_t trainingExamples,
                                      std::int64_t evaluationExamples, DataPosition from) {
    std::vector<MemberRequest> members;
    const auto add = [&](Mode mode, std::int64_t batch) {
        if (batch > 0 && std::ranges::find(members, MemberRequest{mode, batch}) == members.end()) {
            members.push_back({mode, batch});
        }
    };
    const Batcher training = trainingBatcher(design.data, trainingExamples,
                                             static_cast<std::uint64_t>(design.training.seed));
    for (const std::int64_t rows : training.rowCounts(from)) {
        add(Mode::train, rows);
    }
    if (evaluationExamples > 0) {
        const Batcher evaluation = evaluationBatcher(design.data, evaluationExamples);
        for (const std::int64_t rows : evaluation.rowCounts()) {
            add(Mode::evaluate, rows);
        }
    }
    return members;
}

} // namespace weft
