// SPDX-License-Identifier: Apache-2.0
#include "front/preview/compile_step.h"

#include "compile/device_sheets.h"
#include "compile/registry.h"
#include "schedule/feeds_ahead.h"
#include <weft/error.h>

#include <algorithm>

namespace weft {

namespace {

/// Backend for devices that no backend of this build serves: all ops run on the reference kernels.
const Backend& nobodys() {
    static const Backend none;
    return none;
}

const Backend& backendFor(const CompileRequest& request, const DeviceSheet& sheet) {
    const Backend* own = request.registry->backends.find(backendOf(sheet.name));
    if (request.backend.empty() && !sheet.isPresent) {
        return own == nullptr ? nobodys() : *own;
    }
    return backendFor(*request.registry, sheet.name, request.backend);
}

ScheduleContext scheduleOf(const CompileRequest& request, const StudyDevices& devices,
                           bool wantsTransfers) {
    return {.design = request.design,
            .registry = request.registry,
            .links = devices.links,
            .communicators = devices.communicators,
            .choices = request.choices,
            .wantsTransfers = wantsTransfers};
}

VariantOnDevice memberOn(const StudyDevices& devices, DeviceId device,
                         std::shared_ptr<const Plan> plan) {
    const std::size_t d = device.value;
    return {.plan = std::move(plan),
            .device = device,
            .backend = devices.backends[d],
            .sheet = &devices.sheets[d],
            .cores = coresOf(devices.shares[d], devices.sheets[d])};
}

bool isWanted(const CompileRequest& request) { return !request.isWanted || request.isWanted(); }

/// Returns the index in `alike.representatives()` of the device whose program is equal to this
/// one's.
std::size_t placeOf(const AlikeDevices& alike, DeviceId device) {
    const std::vector<DeviceId> shown = alike.representatives();
    return static_cast<std::size_t>(std::ranges::find(shown, alike[device]) - shown.begin());
}

/// Schedules a program for each group of alike devices. Returns false if cancelled. `first` is the
/// step that has laid out the slots; nullptr: this step lays them out.
bool scheduleShown(CompiledStep& step, const std::shared_ptr<const Plan>& plan,
                   const CompiledStep* first, const CompileRequest& request, bool wantsTransfers) {
    const ScheduleContext scheduling = scheduleOf(request, step.devices, wantsTransfers);
    for (const DeviceId device : step.alike.representatives()) {
        if (!isWanted(request)) {
            return false;
        }
        VariantOnDevice member = memberOn(step.devices, device, plan);
        member.first = first == nullptr ? nullptr : &first->programOf(device);
        step.programs.push_back(programOf(scheduling, member));
    }
    return true;
}

struct MemberArena {
    std::string name;
    Bytes work;
    Bytes ahead;
};

/// Returns the memory that all variants together need on a device. Observed steps count for what
/// they need beyond all other variants.
ProgramSetMemory memoryOf(const Program& first, const std::vector<VariantRequest>& members,
                          const std::vector<MemberArena>& arenas) {
    ProgramSetMemory memory{.slots = first.slotSize};
    Bytes others;
    for (std::size_t m = 0; m < arenas.size(); ++m) {
        const auto& [name, work, ahead] = arenas[m];
        memory.ahead = std::max(memory.ahead, ahead);
        if (m == 0 || work > memory.work) {
            memory.work = work;
            memory.largest = name;
        }
        others = members[m].isObserved ? others : std::max(others, work);
    }
    memory.observed = memory.work - others;
    return memory;
}

} // namespace

StudyDevices studyDevices(const Study& study, const CompileRequest& request) {
    StudyDevices made;
    const DeviceSpread spread{study.devices, request.ranks, request.hosts};
    made.shares = hostSharesFor(*request.design, spread, request.machine);
    made.sheets = sheetsFor(*request.design, spread, request.machine, made.shares);
    for (const DeviceSheet& sheet : made.sheets) {
        made.backends.push_back(&backendFor(request, sheet));
    }
    made.links.machine = request.machine;
    made.links.places = evenPlaces(study.devices.size(), request.ranks, request.hosts);
    made.links.connections = connectionsOf(made.sheets);
    made.communicators = communicatorRule(request.registry->communicators, study.devices,
                                          study.training.communicator, request.backend);
    if (std::ranges::none_of(made.sheets, &DeviceSheet::isPresent)) {
        for (CommunicatorRule::Offer& offer : made.communicators.offers) {
            offer.lacks.clear(); // previews assume that the communicator is available
        }
    }
    return made;
}

std::vector<Diagnostic> checkPrecision(const TrainingSettings& training,
                                       const StudyDevices& devices) {
    for (std::size_t d = 0; d < devices.sheets.size(); ++d) {
        const Backend& backend = *devices.backends[d];
        if (backend.name.empty()) {
            continue; // without a backend, the device's precisions are unknown
        }
        if (auto problems = checkPrecision(training, backend, devices.sheets[d]);
            !problems.empty()) {
            return problems;
        }
    }
    return {};
}

const Program& CompiledStep::programOf(DeviceId device) const {
    return programs[placeOf(alike, device)];
}

std::vector<const Program*> CompiledStep::programPointers() const {
    std::vector<const Program*> pointers;
    pointers.reserve(programs.size());
    std::ranges::transform(programs, std::back_inserter(pointers),
                           [](const Program& program) { return &program; });
    return pointers;
}

const ProgramSetMemory& CompiledProgramSet::memoryOf(DeviceId device) const {
    return memory[placeOf(alike, device)];
}

std::optional<std::vector<CompiledStep>>
compileSteps(const Study& study, const StudyDevices& devices, const CompileRequest& request) {
    ensure(study.plan != nullptr, "programs are compiled from a plan");
    std::vector<std::shared_ptr<const Plan>> plans;
    std::ranges::transform(study.steps, std::back_inserter(plans), &PlannedStep::plan);
    const AlikeDevices alike = alikeDevices(plans, devices.sheets, devices.links);
    std::vector<CompiledStep> steps;
    steps.reserve(plans.size());
    for (const auto& plan : plans) {
        const CompiledStep* first = steps.empty() ? nullptr : &steps.front();
        CompiledStep& step = steps.emplace_back(CompiledStep{devices, alike, {}});
        if (!scheduleShown(step, plan, first, request, false)) {
            return std::nullopt;
        }
    }
    return steps;
}

CompiledStep compileEachDevice(const Study& study, const CompileRequest& request,
                               std::size_t which) {
    ensure(study.plan != nullptr, "programs are compiled from a plan");
    CompiledStep first{.devices = studyDevices(study, request),
                       .alike = allDistinct(study.devices.size()),
                       .programs = {}};
    CompiledStep step = first;
    scheduleShown(first, study.plan, nullptr, request, which == 0);
    if (which == 0) {
        return first;
    }
    scheduleShown(step, study.steps[which].plan, &first, request, true);
    return step;
}

std::optional<CompiledProgramSet>
compileProgramSet(const Study& study, const CompiledStep& step, const CompileRequest& request,
                  const std::vector<VariantRequest>& members,
                  const std::function<void(const Program&)>& seen) {
    const ProgramSet programSet = makeProgramSet({.design = request.design,
                                                  .expanded = &study.expanded,
                                                  .ops = &request.registry->ops,
                                                  .layers = &request.registry->layers,
                                                  .optimizers = &request.registry->optimizers,
                                                  .devices = study.devices,
                                                  .machine = request.machine,
                                                  .members = members,
                                                  .tables = study.tables});
    CompiledProgramSet made{
        .problems = programSet.problems, .variants = {}, .alike = {}, .memory = {}};
    if (hasErrors(made.problems)) {
        return made;
    }
    std::vector<std::shared_ptr<const Plan>> plans;
    for (const Variant& member : programSet.members) {
        plans.push_back(member.plan);
        made.variants.push_back(nameOf(member.request, members.front().batch));
    }
    made.alike = alikeDevices(plans, step.devices.sheets, step.devices.links);
    const ScheduleContext scheduling = scheduleOf(request, step.devices, false);
    for (const DeviceId device : made.alike.representatives()) {
        const Program& first = step.programOf(device);
        std::vector<MemberArena> arenas{
            {made.variants.front(), first.workSize, prefetchBytes(first)}};
        for (std::size_t m = 1; m < programSet.members.size(); ++m) {
            if (!isWanted(request)) {
                return std::nullopt;
            }
            VariantOnDevice member = memberOn(step.devices, device, plans[m]);
            member.groups = !programSet.members[m].request.isObserved;
            member.first = &first;
            const Program program = programOf(scheduling, member);
            seen ? seen(program) : void();
            arenas.push_back({made.variants[m], program.workSize, prefetchBytes(program)});
        }
        made.memory.push_back(memoryOf(first, members, arenas));
    }
    return made;
}

} // namespace weft
