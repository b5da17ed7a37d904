// SPDX-License-Identifier: Apache-2.0
#include "front/preview/study.h"

#include "base/limits.h"
#include "compile/check_feeds.h"
#include "compile/device_sheets.h"
#include "compile/set_programs.h"
#include "compile/spread.h"
#include "lower/check_settings.h"
#include "lower/check_structure.h"
#include "lower/lower.h"
#include "lower/nearest_output.h"
#include "lower/part_of.h"
#include "place/place_tables.h"
#include "transform/training_step.h"
#include <weft/edits.h>

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace weft {

namespace {

/// Adds problems that are not in the list, up to a limit; at least one error is always added.
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

/// Replaces invalid settings by defaults, so that the rest can be checked.
Design withUsualSettings(Design design) {
    design.data.batch = DataSettings().batch;
    design.training = {};
    return design;
}

void placeInto(Study& result, const OpList& ops, const PlacementRequest& placing) {
    PlacementResult placed = place(result.sound.graph, ops, placing);
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

/// Lowers all layers and, if there are errors, also only the layers that no error affects.
void lowerInto(Study& result, ProgramSetRequest& programSet, bool isReached) {
    Lowered lowered = lowerVariant(programSet, programSet.members.front());
    addNew(result.problems, lowered.problems);
    std::vector<bool> sound(result.expanded.layers.size(), !isReached);
    if (hasErrors(result.problems) && !isReached) {
        sound = layersWithoutErrors(result.expanded, *programSet.layers, lowered, result.problems);
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

/// Adds the other kinds of training steps, which use the slots of the first.
void addSteps(Study& result, const ProgramSetRequest& programSet, const PlacementRequest& settling,
              const std::function<bool()>& isWanted) {
    const std::int64_t batch = programSet.members.front().batch;
    const std::vector<StepKindCount> kinds = trainingSteps(programSet.design->training);
    result.steps.front().count = kinds.front().count;
    PlacementRequest placing = settling;
    placing.findsLegalWords = false;
    placing.fixedSlots = slotHomesOf(*result.plan);
    for (std::size_t k = 1; k < kinds.size(); ++k) {
        if (isWanted && !isWanted()) {
            return;
        }
        const VariantRequest member{.batch = batch, .does = kinds[k].does};
        Lowered lowered = lowerVariant(programSet, member);
        if (hasErrors(lowered.problems)) {
            return; // the first step has reported these errors
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

/// Warns about intervals that are longer than the run.
void warnOfLength(const TrainingSettings& training, const Warn& warn) {
    if (training.steps > 0 && meansAppliedIn(training, training.steps) == 0) {
        warn("steps",
             fmt::format("the optimizer applies no update in {} steps: {}", training.steps,
                         appliesOnePeriodLate(training)
                             ? "training.sync applies accumulated gradients one period late"
                         : training.firstUpdate > training.steps
                             ? fmt::format("the first update is at step {}", training.firstUpdate)
                             : fmt::format("accumulated gradients are applied once in {} steps",
                                           stepsOfPeriod(training))),
             "raise training.steps, or lower training.sync_every or training.update_period");
    }
    const bool hasLength = training.steps > 0 || training.epochs > 0 ||
                           (training.scheduleAttributes.has("steps") &&
                            training.scheduleAttributes.integer("steps") > 0);
    if (!hasLength && (training.schedule == "cosine" || training.schedule == "polynomial")) {
        warn("schedule",
             "the learning rate never falls: only training.seconds ends the run, and the schedule "
             "needs a number of steps",
             "set training.schedule.with.steps, or training.steps");
    }
}

/// Returns why no device supports the precision, for the first device; empty if one does, or if the
/// build lacks its backend.
std::string whyNoneRounds(const Design& design, const std::vector<std::string>& devices,
                          const StudyRequest& request) {
    const DeviceSpread spread{devices};
    const std::vector<DeviceSheet> sheets =
        sheetsFor(design, spread, request.machine, hostSharesFor(design, spread, request.machine));
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

/// Warns about settings of the training that have no effect.
void warnOfTraining(Study& result, const Design& design, const StudyRequest& request) {
    // With errors, settings could affect layers that were left out.
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
    const bool areApart = std::ranges::any_of(graph.nodes, hasNetworkPerElement);
    if (!accumulatesGradients(training) && !areApart && saysBatch(design, result.expanded)) {
        warn("sync_every",
             "every update is applied at once, so that `batch` does the same as `data`",
             "set training.sync_every above 1 to all-reduce gradients less often");
    }
    if (appliesOnePeriodLate(training) && !hasSumsApart(*result.plan)) {
        warn("sync",
             "accumulated gradients are applied one period late, but no all-reduce can overlap "
             "with computation: no layer with weights shared by all batch elements has the "
             "assignment `batch`",
             "assign layers to batch, or set training.sync to at once");
    }
    if (precisionOf(training) == Precision::tf32) {
        if (const std::string why = whyNoneRounds(design, result.devices, request); !why.empty()) {
            warn("precision",
                 "no device of the design supports TF32, so that all compute in f32: " + why,
                 "set training.precision to exact, or use NVIDIA GPUs of compute capability 8.0 "
                 "and later");
        }
    }
    if (!has(ResultKind::loss) && !training.optimizerAttributes.entries().empty()) {
        warn("optimizer",
             "the design has no loss, so that the optimizer updates nothing: layers with a "
             "learning rule of their own, such as lca, have their own momentum and weight decay",
             "remove the optimizer's attributes");
    }
    if (!has(ResultKind::series) && training.seriesEvery > 0) {
        warn("series_every", "no layer of the design has iterations to record",
             "set training.series_every to 0");
    }
    if (!has(ResultKind::norm) && training.clipNorm > 0) {
        warn("clip_norm", "the design computes no gradients that could be clipped",
             "set training.clip_norm to 0");
    }
}

Planned plannedOf(const LoweredLayers& layers) {
    if (layers.graph == nullptr || layers.graph->nodes.empty()) {
        return Planned::nothing;
    }
    // Update ops are no sign of it: batch norm updates its statistics even without a loss.
    const bool learns = std::ranges::find(layers.graph->results, ResultKind::total,
                                          &Result::kind) != layers.graph->results.end();
    return learns ? Planned::training : Planned::forward;
}

} // namespace

std::shared_ptr<PlaceTables> CachedTables::tablesFor(const std::vector<std::string>& devices,
                                                     const MachineSheet& machine) {
    constexpr std::size_t mostAlikes = 100'000; // memory limit of the cache
    constexpr std::size_t mostKept = 4;
    const auto known = std::ranges::find_if(entries_, [&](const Entry& kept) {
        return kept.devices == devices && kept.link == machine.withinProcess;
    });
    if (known != entries_.end() && known->tables->computationNumbers.size() < mostAlikes) {
        std::rotate(entries_.begin(), known, known + 1);
        return entries_.front().tables;
    }
    if (known != entries_.end()) {
        entries_.erase(known);
    }
    entries_.insert(entries_.begin(),
                    Entry{devices, machine.withinProcess, makePlaceTables(machine)});
    entries_.resize(std::min(entries_.size(), mostKept));
    return entries_.front().tables;
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

/// Keeps the source with its attributes and feeds, and resets the other data settings to defaults.
Design withUsualBatches(Design design) {
    const DataSettings said = std::move(design.data);
    design.data = {.source = said.source, .attributes = said.attributes, .feeds = said.feeds};
    return design;
}

/// Checks the data regardless of other errors. Inputs with errors of their own are skipped.
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

/// Connects each offered output to its input on trial. If the layer refuses its shape and no fix
/// such as an inserted flatten helps, offers an input layer instead.
void tryOfferedOutputs(std::vector<Diagnostic>& problems, const StudyRequest& request,
                       std::size_t layers) {
    // Limits the cost: each trial lowers the whole design.
    constexpr std::size_t mostLayers = 4000;
    int trials = layers > mostLayers ? 0 : 8;
    const Registry& registry = *request.registry;
    for (Diagnostic& problem : problems) {
        if (problem.code != "E009" || problem.fix.edits.empty() ||
            problem.fix.edits.front().verb != "connect" || trials-- <= 0) {
            continue;
        }
        Design design = *request.design;
        if (!applyFix(design, problem.fix, registry.kinds).isDone()) {
            continue;
        }
        const Lowered lowered = lower(expand(design, registry.kinds), registry.layers, registry.ops,
                                      {.mode = request.mode, .batch = 2});
        const auto isRefusal = [&](const Diagnostic& found) {
            return found.layerName == problem.layerName && found.severity == Severity::error &&
                   found.fix.edits.empty();
        };
        if (std::ranges::any_of(lowered.problems, isRefusal)) {
            const Layer* layer = findLayer(networkAt(design, {problem.group}), problem.layer);
            const LayerKindInfo* kind = findKind(registry.kinds, layer->kind);
            const PortInfo* port = kind == nullptr ? nullptr : findPort(kind->inputs, problem.port);
            const std::string& wire = problem.fix.edits.front().arguments.front();
            problem.fix = fixWithoutOutput(wire.substr(wire.rfind(' ') + 1),
                                           port == nullptr ? PortType::floating : port->type,
                                           !problem.group.empty());
        }
    }
}

} // namespace

Study study(const StudyRequest& request) {
    Study result;
    const StageTimer checking;
    result.devices = devicesOf(*request.design, request.devices);
    if (auto problem = deviceCountProblem(result.devices.size())) {
        result.problems.push_back(std::move(*problem));
        result.devices.resize(limits::devices);
    }
    CachedTables own;
    result.tables = (request.cache == nullptr ? own : *request.cache)
                        .tablesFor(result.devices, request.machine);
    result.expanded = expand(*request.design, request.registry->kinds);
    tryOfferedOutputs(result.expanded.problems, request, result.expanded.layers.size());
    addNew(result.problems, result.expanded.problems);
    addNew(result.problems, checkSheets(*request.design));
    const std::vector<Diagnostic> settings =
        checkSettings(*request.design, request.registry->settings);
    // Wrong settings do not prevent the check of layers: defaults replace them.
    const bool isReached = std::ranges::any_of(result.problems, isAboutAll);
    addNew(result.problems, settings);
    if (hasErrors(settings)) {
        result.withDefaults = withUsualSettings(*request.design);
    }
    const Design& design = result.withDefaults ? *result.withDefaults : *request.design;
    result.training = design.training;
    result.times.push_back(checking.timeUntilNow("check and expand"));
    const StageTimer lowering;
    ProgramSetRequest programSet = programSetOf(request, result, design);
    lowerInto(result, programSet, isReached);
    result.times.push_back(lowering.timeUntilNow("lower and differentiate"));
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
    result.times.push_back(placingTime.timeUntilNow("place"));
    return result;
}

} // namespace weft
