// SPDX-License-Identifier: Apache-2.0
#include "run/training_run.h"

#include "run/checkpoint.h"
#include "schedule/schedule.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace weft {

namespace {

void refuseErrors(const std::vector<Diagnostic>& problems) {
    const auto first = std::ranges::find(problems, Severity::error, &Diagnostic::severity);
    if (first != problems.end()) {
        throw Error(ErrorCode::design, Where{.layer = first->layerName}, first->text,
                    first->fix.text.empty() ? "weft check shows every problem" : first->fix.text);
    }
}

/// "cpu:0" -> "cpu"; "cuda:0/1" -> "cuda"
std::string backendOf(const std::string& device) { return device.substr(0, device.find(':')); }

std::string asDeviceOf(const std::string& backend, const std::string& device) {
    const auto colon = device.find(':');
    return backend + (colon == std::string::npos ? ":0" : device.substr(colon));
}

int lanesFor(const Design& design, int cores) {
    if (design.training.lanes > 0) {
        return static_cast<int>(design.training.lanes);
    }
    // One op on all cores beats several ops on a core each unless the graph is wide; width is the
    // planner's to find.
    return cores >= 1 ? 1 : cores;
}

} // namespace

struct TrainingRun::State {
    RunRequest request;
    Data data;
    ExpandedDesign expanded;
    Family family;
    std::vector<Diagnostic> problems;
    std::unique_ptr<WorkerPool> pool;
    std::unique_ptr<Trainer> trainer;
    std::vector<std::string> missing;
    std::filesystem::path checkpoints;
    CheckpointState from; ///< where the run begins

    void build() {
        expanded = expand(*request.design, request.registry->kinds);
        problems = expanded.problems;
        refuseErrors(problems);
        data = openData(request.design->data, request.folders, request.registry->sources);
        if (request.adapt) {
            request.adapt(data);
        }
        const SourcePointer& held = evaluationData();
        if (!request.checkpoint.empty()) {
            from = readCheckpointState(request.checkpoint);
        }
        FamilyRequest wanted{.design = request.design,
                             .expanded = &expanded,
                             .ops = &request.registry->ops,
                             .layers = &request.registry->layers,
                             .devices = request.devices,
                             .machine = {},
                             .members = membersFor(*request.design, data.training->size(),
                                                   held ? held->size() : 0, from.position)};
        family = makeFamily(wanted);
        problems.insert(problems.end(), family.problems.begin(), family.problems.end());
        refuseErrors(problems);
        openPool();
        begin();
    }

    const SourcePointer& evaluationData() const {
        return data.validation ? data.validation : data.test;
    }

    int coresOf(const std::string& device) const {
        const auto declared =
            std::ranges::find(request.design->devices, device, &DeviceDeclaration::name);
        if (declared != request.design->devices.end() && declared->cores > 0) {
            return static_cast<int>(declared->cores);
        }
        return std::max(1, request.cores /
                               static_cast<int>(std::max<std::size_t>(1, request.local.size())));
    }

    void openPool() {
        std::vector<LocalDevice> devices;
        for (const std::size_t index : request.local) {
            const std::string& name = request.devices[index];
            const std::string backendName =
                request.backend.empty() ? backendOf(name) : request.backend;
            const Backend* backend = request.registry->backends.find(backendName);
            if (backend == nullptr) {
                throw Error(ErrorCode::device, Where{.op = name},
                            "this build of Weft has no backend \"" + backendName + "\"",
                            "weft devices lists what it has");
            }
            const int cores = coresOf(name);
            devices.push_back({DeviceId{static_cast<std::uint32_t>(index)}, name,
                               backend->open(asDeviceOf(backendName, name), cores), cores});
        }
        pool = std::make_unique<WorkerPool>(std::move(devices),
                                            request.party != nullptr && request.party->isStepped);
        pool->prepare([this](const LocalDevice& local) { return programsOf(local); });
        if (request.party != nullptr) {
            pool->setLimit(request.party->limit);
        }
    }

    std::vector<Program> programsOf(const LocalDevice& local) const {
        std::vector<Program> programs;
        programs.reserve(family.members.size());
        for (const FamilyMember& member : family.members) {
            ScheduleRequest wanted{.order = request.design->training.order,
                                   .lanes = lanesFor(*request.design, local.cores),
                                   .cores = local.cores,
                                   .seed =
                                       static_cast<std::uint64_t>(request.design->training.seed)};
            wanted.fallback = &request.registry->reference;
            if (request.party != nullptr) {
                wanted.room = request.party->room;
                wanted.links = request.party->links;
            }
            wanted.settled = programs.empty() ? nullptr : &programs.front();
            programs.push_back(schedule(member.plan, local.id, *local.device, wanted));
        }
        return programs;
    }

    void begin() {
        const auto seed = static_cast<std::uint64_t>(request.design->training.seed);
        if (request.checkpoint.empty()) {
            initialiseSlots(*pool, seed);
        } else {
            loadCheckpoint(request.checkpoint, *pool);
        }
        if (!request.weights.empty()) {
            missing = loadWeights(request.weights, *pool);
        }
        TrainerSetup setup{.design = request.design,
                           .family = &family,
                           .pool = pool.get(),
                           .training = data.training,
                           .evaluation = evaluationData(),
                           .listeners = request.listeners};
        if (request.party != nullptr) {
            setup.decide = request.party->decide;
        }
        setup.controls = request.controls;
        setup.firstStep = from.step;
        setup.position = from.position;
        setup.save = [this](std::int64_t step, DataPosition position) {
            return save(step, position);
        };
        trainer = std::make_unique<Trainer>(std::move(setup));
    }

    std::filesystem::path checkpointPath(std::int64_t step) const {
        return checkpoints / fmt::format("step-{:09}.safetensors", step);
    }

    std::string rescue() const {
        const Stand stand = trainer->stand();
        if (checkpoints.empty()) {
            throw Error(ErrorCode::usage, {}, "this run keeps no checkpoints", "");
        }
        const std::filesystem::path path = checkpointPath(stand.step);
        if (std::filesystem::exists(path)) {
            return path.string();
        }
        if (!pool->areSlotsWhole()) {
            throw Error(ErrorCode::stopped, {},
                        fmt::format("the update of step {} had begun", stand.step + 1), "");
        }
        if (const auto lacking = slotsNotWholeHere(*pool); !lacking.empty()) {
            throw Error(ErrorCode::peer, {},
                        fmt::format("parts of {} and {} more lie on other ranks", lacking.front(),
                                    lacking.size() - 1),
                        "");
        }
        saveCheckpointAlone(path, *pool, {.step = stand.step, .position = stand.position});
        return path.string();
    }

    std::string save(std::int64_t step, DataPosition position) const {
        if (checkpoints.empty()) {
            return {};
        }
        const std::filesystem::path path = checkpointPath(step);
        const int rank = request.party == nullptr ? 0 : request.party->rank;
        saveCheckpoint(path, *pool, {.step = step, .position = position}, rank,
                       request.party == nullptr ? FetchPart{} : request.party->fetch);
        return path.string();
    }
};

TrainingRun::TrainingRun(RunRequest request) : state_(std::make_unique<State>()) {
    state_->request = std::move(request);
    state_->build();
}

TrainingRun::~TrainingRun() = default;

TrainingOutcome TrainingRun::train() { return state_->trainer->train(); }

StepReport TrainingRun::evaluate() {
    const SourcePointer& source = state_->evaluationData();
    if (!source) {
        throw Error(ErrorCode::design, {}, "the design holds out no examples to evaluate on",
                    "set data, validation to a share such as 0.1");
    }
    return state_->trainer->evaluate(source, 0);
}

WorkerPool& TrainingRun::pool() { return *state_->pool; }
const Family& TrainingRun::family() const { return state_->family; }
const std::vector<Diagnostic>& TrainingRun::problems() const { return state_->problems; }
void TrainingRun::keepCheckpoints(std::filesystem::path folder) {
    state_->checkpoints = std::move(folder);
}
void TrainingRun::addListener(TrainerListener& listener) { state_->trainer->addListener(listener); }
std::int64_t TrainingRun::firstStep() const { return state_->trainer->firstStep(); }
std::int64_t TrainingRun::steps() const { return state_->trainer->stand().step; }
std::string TrainingRun::rescue() { return state_->rescue(); }
std::int64_t TrainingRun::plannedSteps() const { return state_->trainer->plannedSteps(); }
const std::vector<std::string>& TrainingRun::missingWeights() const { return state_->missing; }

} // namespace weft
