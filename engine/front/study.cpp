// SPDX-License-Identifier: Apache-2.0
#include "front/study.h"

#include "base/limits.h"
#include "lower/check_settings.h"
#include "lower/check_structure.h"
#include "lower/part_of.h"
#include "place/place_tables.h"
#include "run/check_feeds.h"
#include "run/device_sheets.h"
#include "run/set_programs.h"
#include "run/spread.h"
#include "transform/training_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace weft {

namespace {

/// Adds new problems up to a limit, keeping an error if there is one.
void addNew(std::vector<Diagnostic>& problems, const std::vector<Diagnostic>& more) {
    constexpr std::size_t most = 3 * limits::problems;
    for (const Diagnostic& problem : more) {
        const bool isMissed =
            problems.size() < most || (problem.severity == Severity::error && !hasErrors(problems));
        if (isMissed && std::ranges::find(problems, problem) == problems.end()) {
            problems.push_back(problem);
        }
    }
}

/// Where settings are wrong the rest is checked as if nothing were said of them.
Design withUsualSettings(Design design) {
    design.data.batch = DataSettings().batch;
    design.training = {};
    return design;
}

void placeInto(Study& result, const OpList& ops, const PlacementRequest& placing) {
    Placing placed = place(result.sound.graph, ops, placing);
    result.legal = std::move(placed.legal);
    addNew(result.problems, placed.problems);
    result.plan = std::make_shared<const Plan>(std::move(placed.plan));
}

LoweredLayers layersOf(Lowered lowered) {
    return {std::make_shared<const Graph>(std::move(lowered.graph)), std::move(lowered.outputs)};
}

/// True for errors of the whole design, with which no layer can be planned.
bool isAboutAll(const Diagnostic& problem) {
    return problem.severity == Severity::error && problem.layer.isNone();
}

/// All layers, and those that can be planned: where there are errors, what none of them reaches.
void lowerInto(Study& result, ProgramSetRequest& programSet, bool isReached) {
    Lowered lowered = lowerVariant(programSet, programSet.members.front());
    addNew(result.problems, lowered.problems);
    std::vector<bool> sound(result.expanded.layers.size(), !isReached);
    if (hasErrors(result.problems) && !isReached) {
        sound = soundLayers(result.expanded, *programSet.layers, lowered, result.problems);
    }
    result.lowered = layersOf(std::move(lowered));
    if (std::ranges::find(sound, false) == sound.end()) {
        result.sound = result.lowered;
        return;
    }
    result.part = partOf(result.expanded, sound);
    programSet.expanded = &result.part;
    Lowered again = lowerVariant(programSet, programSet.members.front());
    if (!hasErrors(again.problems)) {
        result.sound = layersOf(std::move(again));
    }
}

/// The other kinds of steps of a training, over the slots of the first.
void addSteps(Study& result, const ProgramSetRequest& programSet, const PlacementRequest& settling,
              const std::function<bool()>& isWanted) {
    const std::int64_t batch = programSet.members.front().batch;
    const std::vector<StepShare> kinds = trainingSteps(programSet.design->training);
    result.steps.front().count = kinds.front().count;
    PlacementRequest placing = settling;
    placing.findsLegalWords = false;
    placing.fixedSlots = homesOf(*result.plan);
    for (std::size_t k = 1; k < kinds.size(); ++k) {
        if (isWanted && !isWanted()) {
            return;
        }
        const VariantRequest member{.batch = batch, .does = kinds[k].does};
        Lowered lowered = lowerVariant(programSet, member);
        if (hasErrors(lowered.problems)) {
            return; // so had the first: nothing of it is learnt
        }
        alignSlots(lowered.graph, *result.plan->graph);
        PlannedStep& step = result.steps.emplace_back(
            PlannedStep{.name = nameOf(member, batch), .count = kinds[k].count});
        step.graph = std::make_shared<const Graph>(std::move(lowered.graph));
        step.plan = std::make_shared<const Plan>(place(step.graph, *programSet.ops, placing).plan);
    }
}

bool saysBatch(const Design& design, const ExpandedDesign& expanded) {
    const auto says = [](const Assignment& assignment) {
        return std::ranges::find(assignment.words, AxisWord::batch) != assignment.words.end();
    };
    return says(design.assignment) ||
           std::ranges::any_of(expanded.layers, [&](const ExpandedLayer& layer) {
               return layer.isAssigned && says(layer.assignment);
           });
}

bool hasSumsApart(const Plan& plan) {
    return std::ranges::any_of(plan.slots, [&](const SlotHome& home) {
        return std::ranges::any_of(plan.at(home.home).placements, &Placement::isPartial);
    });
}

using Warn = std::function<void(const char* attribute, std::string text, std::string fix)>;

/// What takes longer than the run does.
void warnOfLength(const TrainingSettings& training, const Warn& warn) {
    if (training.steps > 0 && appliedIn(training, training.steps) == 0) {
        warn(
            "steps",
            fmt::format("nothing is applied in {} steps: {}", training.steps,
                        isLate(training) ? "means are applied a period late"
                        : training.firstUpdate > training.steps
                            ? fmt::format("the first update is of step {}", training.firstUpdate)
                            : fmt::format("a mean is applied once in {}", stepsOfPeriod(training))),
            "take more steps, or fewer updates together");
    }
    const bool hasLength = training.steps > 0 || training.epochs > 0 ||
                           (training.scheduleAttributes.has("steps") &&
                            training.scheduleAttributes.integer("steps") > 0);
    if (!hasLength && (training.schedule == "cosine" || training.schedule == "polynomial")) {
        warn("schedule",
             "the rate never falls: the run ends by its seconds alone, and the schedule has no "
             "number of steps to come to its end in",
             "set training.schedule.with.steps, or training.steps");
    }
}

/// Returns why no device supports the precision, for the first device; empty if one does, or if the
/// build lacks its backend.
std::string whyNoneRounds(const Design& design, const std::vector<std::string>& devices,
                          const StudyRequest& request) {
    const DeviceSpread spread{devices};
    const std::vector<DeviceSheet> sheets =
        sheetsFor(design, spread, request.machine, sharesFor(design, spread, request.machine));
    std::string first;
    for (const DeviceSheet& sheet : sheets) {
        const Backend* backend = request.registry->backends.find(backendOf(sheet.name));
        const std::string why =
            backend == nullptr ? "" : whyNotRounded(precisionOf(design.training), *backend, sheet);
        if (why.empty()) {
            return "";
        }
        if (first.empty()) {
            first = fmt::format("{}: {}", sheet.name, why);
        }
    }
    return first;
}

/// Settings of the training that change nothing here.
void warnOfTraining(Study& result, const Design& design, const StudyRequest& request) {
    // For a partial design, what the rest would contribute is unknown.
    if (hasErrors(result.problems)) {
        return;
    }
    const Warn warn = [&](const char* attribute, std::string text, std::string fix) {
        addNew(result.problems, {{.code = "W072",
                                  .severity = Severity::warning,
                                  .layerName = "training",
                                  .attribute = attribute,
                                  .text = std::move(text),
                                  .fix = {std::move(fix), {}}}});
    };
    const TrainingSettings& training = design.training;
    const Graph& graph = *result.plan->graph;
    const auto has = [&](ResultKind kind) {
        return std::ranges::find(graph.results, kind, &Result::kind) != graph.results.end();
    };
    warnOfLength(training, warn);
    const bool areApart = std::ranges::any_of(graph.nodes, keepsElementsApart);
    if (!keepsSums(training) && !areApart && saysBatch(design, result.expanded)) {
        warn("sync_every", "every update is applied at once, so that `batch` is the same as `data`",
             "set training.sync_every above 1 for gradients to be added up less often");
    }
    if (isLate(training) && !hasSumsApart(*result.plan)) {
        warn("sync",
             "means are applied one period late, and nothing travels beside other work for it: no "
             "layer whose elements share weights is spread by `batch`",
             "spread layers by batch, or set training.sync to at once");
    }
    if (precisionOf(training) == Precision::tf32) {
        if (const std::string why = whyNoneRounds(design, result.devices, request); !why.empty()) {
            warn("precision",
                 "no device of the design rounds to TF32, and all compute exactly: " + why,
                 "leave training.precision exact, or take chips of NVIDIA's, of 8.0 and later");
        }
    }
    if (!has(ResultKind::loss) && !training.optimizerAttributes.entries().empty()) {
        warn(
            "optimizer",
            "the design has no loss, so that nothing of it is learnt by the optimizer: layers that "
            "learn by themselves have momentum and decay of their own",
            "take its attributes out");
    }
    if (!has(ResultKind::series) && training.seriesEvery > 0) {
        warn("series_every", "no layer of the design has iterations to tell of",
             "set training.series_every to 0");
    }
    if (!has(ResultKind::norm) && training.clipNorm > 0) {
        warn("clip_norm", "the design has no gradients whose norm could be limited",
             "set training.clip_norm to 0");
    }
}

Planned plannedOf(const LoweredLayers& layers) {
    if (layers.graph == nullptr || layers.graph->nodes.empty()) {
        return Planned::nothing;
    }
    // (What a batch norm remembers is updated without a loss too.)
    const bool learns = std::ranges::find(layers.graph->results, ResultKind::total,
                                          &Result::kind) != layers.graph->results.end();
    return learns ? Planned::training : Planned::forward;
}

} // namespace

std::shared_ptr<PlaceTables> CachedTables::of(const std::vector<std::string>& devices,
                                              const MachineSheet& machine) {
    constexpr std::size_t mostAlikes = 100'000; // more than anybody comes back to
    constexpr std::size_t mostKept = 4;
    const auto known = std::ranges::find_if(kept_, [&](const Kept& kept) {
        return kept.devices == devices && kept.link == machine.withinProcess;
    });
    if (known != kept_.end() && known->tables->alikes.size() < mostAlikes) {
        std::rotate(kept_.begin(), known, known + 1);
        return kept_.front().tables;
    }
    if (known != kept_.end()) {
        kept_.erase(known);
    }
    kept_.insert(kept_.begin(), Kept{devices, machine.withinProcess, makePlaceTables(machine)});
    kept_.resize(std::min(kept_.size(), mostKept));
    return kept_.front().tables;
}

namespace {

ProgramSetRequest programSetOf(const StudyRequest& request, const Study& result,
                               const Design& design) {
    ProgramSetRequest programSet{.design = &design,
                                 .expanded = &result.expanded,
                                 .ops = &request.registry->ops,
                                 .layers = &request.registry->layers,
                                 .optimizers = &request.registry->optimizers,
                                 .devices = result.devices,
                                 .machine = request.machine,
                                 .members = {{request.mode, design.data.batch}},
                                 .tables = result.tables};
    if (request.mode == Mode::train) {
        programSet.members.front().does = trainingSteps(design.training).front().does;
    }
    return programSet;
}

/// With the usual settings in place of those beside the source and its feeds.
Design withUsualBatches(Design design) {
    const DataSettings said = std::move(design.data);
    design.data = {.source = said.source, .attributes = said.attributes, .feeds = said.feeds};
    return design;
}

/// The data, beside whatever else is wrong. Of an input that has an error of its own nothing more
/// is said.
void checkData(Study& result, const StudyRequest& request,
               const std::vector<Diagnostic>& settings) {
    const SettingInfo* source = findSetting(request.registry->settings, "data.source");
    if (hasErrors(checkSettings(*request.design, {*source}))) {
        return;
    }
    std::optional<Design> usual;
    if (std::ranges::find(settings, "data", &Diagnostic::layerName) != settings.end()) {
        usual = withUsualBatches(*request.design);
    }
    const auto isOfNetwork = [&](const Diagnostic& problem) {
        return problem.severity == Severity::error &&
               std::ranges::find(settings, problem) == settings.end();
    };
    std::vector<Diagnostic> found =
        checkFeeds({.design = usual ? &*usual : request.design,
                    .graph = result.lowered.graph.get(),
                    .isWhole = std::ranges::none_of(result.problems, isOfNetwork),
                    .areSettingsRight = !usual,
                    .registry = request.registry,
                    .folders = {request.data->folder, request.data->others}});
    std::erase_if(found, [&](const Diagnostic& problem) {
        return !problem.layer.isNone() &&
               std::ranges::any_of(result.problems, [&](const Diagnostic& said) {
                   return said.severity == Severity::error && said.layer == problem.layer;
               });
    });
    addNew(result.problems, found);
}

} // namespace

Study study(const StudyRequest& request) {
    Study result;
    const StageTimer checking;
    result.devices = devicesOf(*request.design, request.devices);
    if (auto problem = refusedDevices(result.devices.size())) {
        result.problems.push_back(std::move(*problem));
        result.devices.resize(limits::devices);
    }
    CachedTables own;
    result.tables =
        (request.kept == nullptr ? own : *request.kept).of(result.devices, request.machine);
    result.expanded = expand(*request.design, request.registry->kinds);
    addNew(result.problems, result.expanded.problems);
    addNew(result.problems, checkSheets(*request.design));
    const std::vector<Diagnostic> settings =
        checkSettings(*request.design, request.registry->settings);
    // Wrong settings reach no layer: the usual ones stand in for them.
    const bool isReached = std::ranges::any_of(result.problems, isAboutAll);
    addNew(result.problems, settings);
    if (hasErrors(settings)) {
        result.usual = withUsualSettings(*request.design);
    }
    const Design& design = result.usual ? *result.usual : *request.design;
    result.training = design.training;
    result.times.push_back(checking.stop("check and expand"));
    const StageTimer lowering;
    ProgramSetRequest programSet = programSetOf(request, result, design);
    lowerInto(result, programSet, isReached);
    result.times.push_back(lowering.stop("lower and differentiate"));
    if (request.data != nullptr) {
        checkData(result, request, settings);
    }
    const bool isWanted = !request.isWanted || request.isWanted();
    result.planned = request.wantsPlan && isWanted ? plannedOf(result.sound) : Planned::nothing;
    if (result.planned == Planned::nothing) {
        return result;
    }
    const StageTimer placingTime;
    PlacementRequest placing = placementRequest(programSet);
    placing.findsLegalWords = request.wantsLegal;
    placeInto(result, request.registry->ops, placing);
    result.steps.push_back({.name = nameOf(programSet.members.front(), design.data.batch),
                            .graph = result.sound.graph,
                            .plan = result.plan});
    if (request.mode == Mode::train && result.planned == Planned::training) {
        warnOfTraining(result, design, request);
        addSteps(result, programSet, placing, request.isWanted);
    }
    result.times.push_back(placingTime.stop("place"));
    return result;
}

} // namespace weft
