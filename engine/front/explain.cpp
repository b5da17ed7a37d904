// SPDX-License-Identifier: Apache-2.0
#include "comm/world.h"
#include "front/study.h"
#include "schedule/schedule.h"
#include <weft/error.h>
#include <weft/explain.h>

#include <algorithm>
#include <thread>

namespace weft {

std::optional<Stage> stageNamed(std::string_view name) {
    constexpr std::pair<std::string_view, Stage> names[] = {{"graph", Stage::graph},
                                                            {"plan", Stage::plan},
                                                            {"kernels", Stage::kernels},
                                                            {"memory", Stage::memory},
                                                            {"programs", Stage::programs}};
    const auto* found = std::ranges::find(names, name, &std::pair<std::string_view, Stage>::first);
    return found == std::end(names) ? std::nullopt : std::optional(found->second);
}

namespace {

void refuseErrors(const std::vector<Diagnostic>& problems) {
    const auto first = std::ranges::find(problems, Severity::error, &Diagnostic::severity);
    if (first != problems.end()) {
        throw Error(ErrorCode::design, Where{.layer = first->layerName}, first->text,
                    first->fix.text.empty() ? "weft check shows every problem" : first->fix.text);
    }
}

/// Programs of all devices, prepared in this process whether they would run here or not.
std::string explainPrograms(const Design& design, const Study& studied, const Registry& registry,
                            const ExplainRequest& request) {
    const auto plan = std::make_shared<const Plan>(*studied.plan);
    const std::unique_ptr<World> world = makeLoneWorld(true);
    Room& room = world->room(std::vector<int>(studied.devices.size(), 0));
    const int cores =
        std::max(1, static_cast<int>(std::thread::hardware_concurrency() / studied.devices.size()));
    std::string text;
    for (std::uint32_t k = 0; k < studied.devices.size(); ++k) {
        const std::string& name = studied.devices[k];
        const std::string backendName =
            request.backend.empty() ? name.substr(0, name.find(':')) : request.backend;
        const Backend* backend = registry.backends.find(backendName);
        if (backend == nullptr) {
            throw Error(ErrorCode::device, Where{.op = name},
                        "this build of Weft has no backend \"" + backendName + "\"",
                        "weft devices lists what it has");
        }
        const auto device = backend->open(backendName + name.substr(name.find(':')), cores);
        ScheduleRequest wanted{
            .order = design.training.order,
            .lanes = static_cast<int>(std::max<std::int64_t>(1, design.training.lanes)),
            .cores = cores,
            .seed = static_cast<std::uint64_t>(design.training.seed)};
        wanted.room = &room;
        wanted.fallback = &registry.reference;
        const Program program = schedule(plan, DeviceId{k}, *device, wanted);
        switch (request.stage) {
        case Stage::kernels: text += printKernels(program); break;
        case Stage::memory: text += printMemory(program); break;
        default: text += print(program);
        }
    }
    return text;
}

} // namespace

std::string explain(const Design& design, const ExplainRequest& request) {
    const auto registry = makeRegistry();
    const Mode mode = request.member == "evaluate" ? Mode::evaluate
                      : request.member == "infer"  ? Mode::infer
                                                   : Mode::train;
    const Study studied = study({.design = &design,
                                 .registry = registry.get(),
                                 .devices = request.devices,
                                 .mode = mode,
                                 .wantsPlan = request.stage != Stage::graph});
    refuseErrors(studied.problems);
    switch (request.stage) {
    case Stage::graph: return print(studied.lowered.graph);
    case Stage::plan: return print(*studied.plan);
    default: return explainPrograms(design, studied, *registry, request);
    }
}

} // namespace weft
