// SPDX-License-Identifier: Apache-2.0
#include "base/text/json.h"
#include "front/explain/explain_json.h"
#include "front/preview/compile_step.h"
#include <weft/devices.h>
#include <weft/error.h>
#include <weft/explain.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

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

std::string textOf(const Program& program, Stage stage) {
    switch (stage) {
    case Stage::kernels: return printKernels(program);
    case Stage::memory: return printMemory(program);
    default: return print(program);
    }
}

Json jsonOf(const Program& program, Stage stage) {
    switch (stage) {
    case Stage::kernels: return kernelsJson(program);
    case Stage::memory: return memoryJson(program);
    default: return programJson(program);
    }
}

Mode modeOf(const std::string& member) {
    return member == "evaluate" ? Mode::evaluate : member == "infer" ? Mode::infer : Mode::train;
}

/// Returns remarks on backends whose kernels have never run on real hardware, and on devices.
std::string proofText(const CompiledStep& step) {
    std::set<std::string> said;
    std::string text;
    for (const Backend* backend : step.devices.backends) {
        if (!proofOf(backend->name).empty() && said.insert(backend->name).second) {
            text += fmt::format("kernels of {}: {}\n", backend->name, proofOf(backend->name));
        }
    }
    for (const std::string& remark : remarksOn(step.devices.sheets)) {
        text += remark + "\n";
    }
    return text;
}

/// Returns the index of the requested step. Error{usage} lists the valid names.
std::size_t stepNamed(const Study& studied, const std::string& member) {
    std::string known;
    for (std::size_t k = 0; k < studied.steps.size(); ++k) {
        if (studied.steps[k].name == member) {
            return k;
        }
        known += (known.empty() ? "" : ", ") + studied.steps[k].name;
    }
    throw Error(ErrorCode::usage, {}, fmt::format("this design has no program variant {}", member),
                fmt::format("name one of {}, evaluate, infer", known));
}

/// Returns a line if the design allows TF32 but the device computes in exact f32; else empty.
std::string exactnessOf(const TrainingSettings& training, const Backend& backend,
                        const DeviceSheet& sheet) {
    const bool isExact =
        !backend.name.empty() && !whyNotRounded(Precision::tf32, backend, sheet).empty();
    return precisionOf(training) != Precision::tf32 || !isExact
               ? ""
               : "  computed in exact f32 here: no kernel of this device rounds to TF32\n";
}

std::string timesOf(const StageTextRequest& request, const Study& studied) {
    std::string text;
    if (!request.times) {
        return text;
    }
    for (const StageTime& stage : studied.times) {
        text += fmt::format("{}{} {}", text.empty() ? "took: " : ", ", stage.name,
                            toString(stage.time));
    }
    return text + "\n";
}

std::string withTimes(Json stage, const std::vector<StageTime>& times) {
    Json took = Json::object();
    for (const StageTime& one : times) {
        took[one.name] = one.time.count;
    }
    stage["took_ns"] = std::move(took);
    return jsonText(stage, 1) + "\n";
}

} // namespace

std::string explain(const Design& design, const StageTextRequest& request) {
    const auto registry = makeRegistry();
    MachineSheet machine = thisMachine();
    const Mode mode = modeOf(request.member);
    const bool isOfSeveral = mode == Mode::train && request.member != "train";
    Study studied = study({.design = &design,
                           .registry = registry.get(),
                           .devices = request.devices,
                           .machine = machine,
                           .mode = mode,
                           .wantsPlan = request.stage != Stage::graph || isOfSeveral});
    refuseErrors(studied.problems);
    const bool isJson = request.form == TextForm::json;
    const std::size_t which = isOfSeveral ? stepNamed(studied, request.member) : 0;
    if (request.stage == Stage::graph) {
        const Graph& graph = isOfSeveral ? *studied.steps[which].graph : *studied.sound.graph;
        return isJson ? withTimes(asJson(graph), studied.times)
                      : print(graph) + timesOf(request, studied);
    }
    if (request.stage == Stage::plan) {
        const Plan& plan = *studied.steps[which].plan;
        return isJson ? withTimes(asJson(plan), studied.times)
                      : print(plan) + timesOf(request, studied);
    }
    const StageTimer timer;
    const CompiledStep prepared = compileEachDevice(studied,
                                                    {.design = &design,
                                                     .registry = registry.get(),
                                                     .backend = request.backend,
                                                     .machine = std::move(machine)},
                                                    which);
    studied.times.push_back(timer.timeUntilNow("select and schedule"));
    refuseErrors(checkCommunicators(prepared.devices.communicators, prepared.devices.links.places,
                                    *studied.steps[which].plan));
    refuseErrors(checkPrecision(design.training, prepared.devices));
    std::string text = isJson ? std::string() : proofText(prepared);
    Json programs = Json::array();
    for (const Program& program : prepared.programs) {
        if (isJson) {
            programs.push_back(jsonOf(program, request.stage));
        } else {
            text += textOf(program, request.stage);
        }
        if (!isJson && request.stage == Stage::kernels) {
            const std::size_t d = program.device.value;
            text += exactnessOf(design.training, *prepared.devices.backends[d],
                                prepared.devices.sheets[d]);
        }
    }
    return isJson ? withTimes(Json{{"programs", std::move(programs)}}, studied.times)
                  : text + timesOf(request, studied);
}

} // namespace weft
