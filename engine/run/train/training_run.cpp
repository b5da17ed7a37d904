// SPDX-License-Identifier: Apache-2.0
#include "run/train/training_run.h"

#include "base/text/text.h"
#include "compile/host_share.h"
#include "compile/training_members.h"
#include "lower/check_settings.h"
#include "run/checkpoint/checkpoint.h"
#include "run/observe/tensor_files.h"
#include "run/train/open_workers.h"
#include "transform/training_step.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace weft {

struct TrainingRun::State {
    RunRequest request;
    Data data;
    ExpandedDesign expanded;
    ProgramSet programSet;
    std::vector<Diagnostic> problems;
    std::unique_ptr<WorkerPool> pool;
    std::unique_ptr<Trainer> trainer;
    std::vector<std::string> remarks;
    std::filesystem::path checkpoints;
    std::function<void()> beforeCheckpoint;
    std::filesystem::path lastSaved; ///< last checkpoint of this attempt
    std::unique_ptr<TensorFiles> tensors;
    std::unique_ptr<TensorFiles> series;
    CheckpointState from;          ///< where the run begins
    bool areElementsOther = false; ///< batch elements watch other films than in the checkpoint

    void build() {
        expanded = expand(*request.design, request.registry->kinds);
        problems = expanded.problems;
        const auto settings = checkSettings(*request.design, request.registry->settings);
        problems.insert(problems.end(), settings.begin(), settings.end());
        refuseErrors(problems);
        data = openData(request.design->data, request.folders, request.registry->sources);
        // Checked here, before data held by `adapt` takes memory.
        static_cast<void>(trainingBatcher(request.design->data, data.training->size(),
                                          static_cast<std::uint64_t>(request.design->training.seed),
                                          data.training->order()));
        if (request.adapt) {
            request.adapt(data);
        }
        const SourcePointer& held = evaluationData();
        if (!request.checkpoint.empty()) {
            from = readCheckpointState(request.checkpoint);
            requireOwnPeriod();
        }
        placeElements();
        ProgramSetRequest wanted{.design = request.design,
                                 .expanded = &expanded,
                                 .ops = &request.registry->ops,
                                 .layers = &request.registry->layers,
                                 .optimizers = &request.registry->optimizers,
                                 .devices = request.devices,
                                 .machine = machineOf(request),
                                 .members = variantsFor(*request.design, data.training->size(),
                                                        held ? held->size() : 0,
                                                        data.training->order(), from.position)};
        if (request.preparesObserved) {
            addObservedSteps(wanted.members);
        }
        programSet = makeProgramSet(wanted);
        problems.insert(problems.end(), programSet.problems.begin(), programSet.problems.end());
        refuseErrors(problems);
        pool = openWorkers(request, programSet);
        remarkOnCores();
        if (std::string order = overriddenOrderText(request.design->data, data.training->order());
            !order.empty()) {
            remarks.push_back(std::move(order));
        }
        begin();
    }

    void remarkOnCores() {
        for (const Diagnostic& problem : checkShares(hostSharesOf(request), coresOf(request))) {
            remarks.push_back(toString(problem));
        }
    }

    [[nodiscard]] const SourcePointer& evaluationData() const {
        return data.validation ? data.validation : data.test;
    }

    void begin() {
        fillSlots();
        TrainerSetup setup{.design = request.design,
                           .programSet = &programSet,
                           .pool = pool.get(),
                           .training = data.training,
                           .evaluation = evaluationData(),
                           .listeners = request.listeners};
        if (request.party != nullptr) {
            setup.decide = request.party->decide;
            setup.rank = request.party->rank;
            setup.fetch = request.party->fetch;
            setup.share = request.party->share;
        }
        setup.controls = request.controls;
        setup.begin = {from.step, from.position, from.isEvaluationDue};
        setup.countedFrom = from.countedFrom;
        setup.restore = [this] { return restore(); };
        setup.keepTensor = [this](std::int64_t step, const std::string& name, const Array& value) {
            return tensors ? tensors->write(step, name, value) : std::string();
        };
        setup.keepSeries = [this](std::int64_t step, const std::string& name, const Array& value) {
            series ? static_cast<void>(series->write(step, name, value)) : void();
        };
        setup.save = [this](std::int64_t step, DataPosition position) {
            return save(step, position);
        };
        trainer = std::make_unique<Trainer>(std::move(setup));
    }

    [[nodiscard]] std::filesystem::path checkpointPath(std::int64_t step) const {
        return checkpoints / fmt::format("step-{:09}.safetensors", step);
    }

    /// Returns the path relative to the run's folder, as it is in any copy of that folder.
    [[nodiscard]] static std::string relativePath(const std::filesystem::path& checkpoint) {
        return (checkpoint.parent_path().filename() / checkpoint.filename()).string();
    }

    [[nodiscard]] std::string rescue() const {
        const RunPosition stand = trainer->position();
        if (checkpoints.empty()) {
            throw Error(ErrorCode::usage, {}, "this run saves no checkpoints", "");
        }
        const std::filesystem::path path = checkpointPath(stand.step);
        if (std::filesystem::exists(path)) {
            return relativePath(path);
        }
        if (const std::string why = trainer->whyNotConsistent(); !why.empty()) {
            throw Error(ErrorCode::stopped, {}, why, "");
        }
        if (const auto lacking = slotsNotFullyHere(*pool); !lacking.empty()) {
            throw Error(ErrorCode::peer, {},
                        fmt::format("parts of {} and {} more are on other ranks", lacking.front(),
                                    lacking.size() - 1),
                        "");
        }
        beforeCheckpoint ? beforeCheckpoint() : void();
        CheckpointState state = stateAt(stand.step, stand.data);
        state.isEvaluationDue = stand.isEvaluationDue;
        saveCheckpointAlone(path, *pool, state);
        return relativePath(path);
    }

    /// If elements of the batch differ from those of the checkpoint, starts all films from the
    /// beginning.
    void placeElements() {
        const Batcher::Settings rows =
            trainingBatcher(request.design->data, data.training->size(),
                            static_cast<std::uint64_t>(request.design->training.seed),
                            data.training->order())
                .settings();
        const std::string now = rowOrderText(rows);
        areElementsOther = from.elements && !now.empty() && *from.elements != now;
        if (areElementsOther) {
            from.position = from.countedFrom = restartPosition(rows, from.position);
            remarks.push_back(
                fmt::format("the checkpoint has {}, but the run has {}: they start from the "
                            "beginning of their data, with their state reset to rest; {}",
                            from.elements->empty() ? "batch elements that show no movies"
                                                   : elided(*from.elements),
                            elided(now), restartText(rows)));
        }
        from.elements = now;
    }

    /// Fills the slots with initial contents, weights or a checkpoint.
    void fillSlots() {
        if (request.checkpoint.empty()) {
            initialiseSlots(*pool, static_cast<std::uint64_t>(request.design->training.seed));
        } else {
            std::string remark = loadCheckpoint(request.checkpoint, *pool, areElementsOther).remark;
            if (!remark.empty()) {
                remarks.push_back(std::move(remark));
            }
            if (areElementsOther) {
                resetLayerStates(*pool, static_cast<std::uint64_t>(request.design->training.seed));
            }
        }
        if (!request.weights.empty()) {
            std::string lacking = textOf(loadWeights(request.weights, *pool), request.weights);
            if (!lacking.empty()) {
                remarks.push_back(std::move(lacking));
            }
        }
    }

    RunPosition restore() {
        if (lastSaved.empty()) {
            fillSlots();
            return {from.step, from.position};
        }
        const CheckpointState last = loadCheckpoint(lastSaved, *pool);
        return {last.step, last.position};
    }

    /// Requires that sums of an unfinished sync period belong to the same period.
    void requireOwnPeriod() const {
        const std::string now = periodText(request.design->training);
        if (!from.period.empty() && from.period != now) {
            throw Error(ErrorCode::design, {.file = request.checkpoint.string()},
                        fmt::format("contains accumulated gradients that are not applied yet, made "
                                    "with {}, but the design has {}",
                                    from.period, now),
                        "resume with the settings of the checkpoint, or from a checkpoint at the "
                        "end of a period");
        }
    }

    [[nodiscard]] CheckpointState stateAt(std::int64_t step, DataPosition position) const {
        const TrainingSettings& training = request.design->training;
        return {.step = step,
                .position = position,
                .period = isPending(training, step) ? periodText(training) : std::string(),
                .elements = from.elements,
                .countedFrom = from.countedFrom};
    }

    std::string save(std::int64_t step, DataPosition position) {
        if (checkpoints.empty()) {
            return {};
        }
        const std::filesystem::path path = checkpointPath(step);
        const int rank = request.party == nullptr ? 0 : request.party->rank;
        beforeCheckpoint ? beforeCheckpoint() : void();
        saveCheckpoint(path, *pool, stateAt(step, position), rank,
                       request.party == nullptr ? FetchPart{} : request.party->fetch);
        lastSaved = path;
        return relativePath(path);
    }
};

std::vector<int> hostsOf(const RunRequest& request) {
    std::vector<int> hosts(request.devices.size(), 0);
    if (request.party != nullptr && !request.party->links.places.empty()) {
        std::ranges::transform(request.party->links.places, hosts.begin(), &DevicePlace::host);
    }
    return hosts;
}

MachineSheet machineOf(const RunRequest& request) {
    return request.party == nullptr ? MachineSheet{} : request.party->links.machine;
}

int coresOf(const RunRequest& request) {
    return request.cores > 0 ? request.cores : coresOf(machineOf(request).devices);
}

TrainingRun::TrainingRun(RunRequest request) : state_(std::make_unique<State>()) {
    state_->request = std::move(request);
    state_->build();
}

TrainingRun::~TrainingRun() = default;

TrainingOutcome TrainingRun::train() { return state_->trainer->train(); }

std::vector<ObservedValue> TrainingRun::observedStep(StepReport& report,
                                                     const ObservationOptions& look) {
    return state_->trainer->observedStep(report, look);
}

StepReport TrainingRun::evaluate() {
    const SourcePointer& source = state_->evaluationData();
    if (!source) {
        throw Error(ErrorCode::design, {}, "the design holds out no examples for validation",
                    "set data.validation to a fraction such as 0.1");
    }
    StepReport report = state_->trainer->evaluate(source, 0);
    const auto& slots = state_->programSet.members.front().plan->graph->slots;
    // Without training there is nothing that training counts.
    std::erase_if(report.metrics, [&](const auto& metric) {
        return std::ranges::find(slots, metric.first, &Slot::zerosName) != slots.end();
    });
    return report;
}

WorkerPool& TrainingRun::pool() { return *state_->pool; }
const ProgramSet& TrainingRun::programSet() const { return state_->programSet; }
void TrainingRun::keepCheckpoints(std::filesystem::path folder, std::function<void()> before) {
    state_->checkpoints = std::move(folder);
    state_->beforeCheckpoint = std::move(before);
}
void TrainingRun::keepTensors(const std::filesystem::path& observed,
                              const std::filesystem::path& series) {
    state_->tensors = std::make_unique<TensorFiles>(observed, TensorFiles::keptTensors);
    state_->series = std::make_unique<TensorFiles>(series, TensorFiles::keptSeries);
}
void TrainingRun::addListener(TrainerListener& listener) { state_->trainer->addListener(listener); }
std::int64_t TrainingRun::firstStep() const { return state_->trainer->firstStep(); }
std::int64_t TrainingRun::steps() const { return state_->trainer->position().step; }
std::string TrainingRun::rescue() { return state_->rescue(); }
int TrainingRun::hosts() const {
    const std::vector<int> all = hostsOf(state_->request);
    return static_cast<int>(std::set<int>(all.begin(), all.end()).size());
}
const std::vector<std::string>& TrainingRun::remarks() const { return state_->remarks; }

} // namespace weft
