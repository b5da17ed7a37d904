// SPDX-License-Identifier: Apache-2.0
#include "compile/program_set.h"

#include "base/text/mending.h"
#include "compile/applied.h"
#include "transform/differentiate.h"
#include "transform/optimize_step.h"
#include <weft/error.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace weft {

namespace {

/// Returns the first slot whose shape differs from that of the first variant: a per-example state
/// or weight for another batch.
const Slot* otherState(const Graph& graph, const Graph& first) {
    for (std::size_t s = 0; s < graph.slots.size(); ++s) {
        if (graph.slots[s].shape != first.slots[s].shape) {
            return &graph.slots[s];
        }
    }
    return nullptr;
}

/// If layers have per-example state, evaluations use the full batch, too.
VariantRequest asRemembered(const ProgramSet& programSet, VariantRequest member) {
    if (member.mode == Mode::evaluate && !programSet.members.empty()) {
        const Variant& first = programSet.members.front();
        member.batch = needsFullBatches(*first.plan->graph) ? first.request.batch : member.batch;
    }
    return member;
}

Diagnostic shortBatch(const Lowered& lowered, const Slot& state, const VariantRequest& member) {
    return {.code = "E069",
            .layer = state.origin.layer,
            .layerName = lowered.graph.layerName(state.origin),
            .attribute = "last_batch",
            .text = fmt::format("the last batch of an epoch has only {} examples, but {} {} every "
                                "example of a full batch",
                                member.batch, state.name,
                                state.isPerElement ? "has weights for" : "keeps state for"),
            .fix = fixBy("set data.last_batch to wrap, which fills the batch from the start of the "
                         "epoch, or to drop",
                         "data", {"last_batch", "wrap"})};
}

Variant observedVariant(const ProgramSet& programSet, const VariantRequest& wanted) {
    VariantRequest own = wanted;
    own.isObserved = false;
    const auto of = std::ranges::find(programSet.members, own, &Variant::request);
    ensure(of != programSet.members.end(),
           "an observed variant follows the variant that it observes");
    Variant observed = *of;
    observed.request = wanted;
    return observed;
}

void addMissing(std::vector<Diagnostic>& problems, std::vector<Diagnostic> more) {
    for (Diagnostic& problem : more) {
        if (std::ranges::find(problems, problem) == problems.end()) {
            problems.push_back(std::move(problem));
        }
    }
}

/// Returns the names of what an evaluation reports, the sum of losses or energies first.
std::vector<std::string> evaluatedNames(const ProgramSetRequest& request, std::int64_t batch) {
    const Lowered evaluated = lower(*request.expanded, *request.layers, *request.ops,
                                    {.name = "evaluate", .mode = Mode::evaluate, .batch = batch});
    std::vector<std::string> names;
    const auto add = [&](const std::string& name, auto at) {
        if (std::ranges::find(names, name) == names.end()) {
            names.insert(at, name);
        }
    };
    for (const Result& result : evaluated.graph.results) {
        if (result.kind == ResultKind::total) {
            add(result.name, names.begin());
        } else if (result.kind == ResultKind::metric || isLessBetter(result)) {
            add(result.name, names.end());
        }
    }
    return names;
}

/// Reports a target that no evaluation reports, because the run would never end.
void checkTarget(const ProgramSetRequest& request, std::int64_t batch, Lowered& lowered) {
    const std::string& wanted = request.design->training.targetMetric;
    if (wanted.empty()) {
        return;
    }
    const std::vector<std::string> known = evaluatedNames(request, batch);
    if (std::ranges::find(known, wanted) != known.end()) {
        return;
    }
    lowered.problems.push_back(
        {.code = "E067",
         .layerName = "training",
         .attribute = "target.metric",
         .text = fmt::format("validation computes no metric called {}", wanted),
         .fix = fixByWord(wanted, known, "training", {"target.metric"},
                          fmt::format("name one of {}", fmt::join(known, ", ")))});
}

/// Differentiates the total if there is a loss. Energies get no gradient, since the dynamics
/// minimise them.
void descend(Graph& graph, const OpList& ops, ValueId total) {
    if (std::ranges::find(graph.results, ResultKind::loss, &Result::kind) != graph.results.end()) {
        differentiate(graph, ops, total);
    }
}

void learn(Lowered& lowered, const ProgramSetRequest& request, ValueId loss,
           const TrainingStep& does) {
    const OpList& ops = *request.ops;
    const TrainingSettings& training = request.design->training;
    Graph& graph = lowered.graph;
    if (does.adds) {
        descend(graph, ops, loss);
        appendUpdate(graph, ops, *request.optimizers, training, does);
        return;
    }
    Graph learning = does.reduces ? graph : Graph{};
    if (does.reduces) {
        descend(learning, ops, loss);
    }
    std::vector<ValueId> wanted;
    for (const auto& [port, value] : outputsOf(lowered)) {
        wanted.push_back(value);
    }
    appendUpdateWithoutGradients(graph, ops, *request.optimizers, training, does, learning, wanted);
}

/// False if errors exclude a layer, which may be the loss.
bool isWhole(const ExpandedDesign& design, const Lowered& lowered) {
    return design.isWhole && lowered.graph.layerNames.size() == design.layers.size();
}

} // namespace

bool needsFullBatches(const Graph& graph) {
    return std::ranges::any_of(graph.slots, [](const Slot& slot) {
        return slot.kind == SlotKind::layerState || slot.isPerElement;
    });
}

/// Slots that the variant does not use stay unread.
void alignSlots(Graph& graph, const Graph& first) {
    std::vector<Slot> aligned;
    for (const Slot& slot : first.slots) {
        const SlotId own = graph.slotNamed(slot.name);
        if (!own.isNone()) {
            aligned.push_back(graph.at(own));
            aligned.back().of = slot.of;
            continue;
        }
        Slot unused = slot;
        unused.value = ValueId{static_cast<std::uint32_t>(graph.values.size())};
        unused.next = {};
        graph.values.push_back({slot.dtype, slot.shape, {}, 0, slot.name});
        aligned.push_back(std::move(unused));
    }
    ensure(aligned.size() == first.slots.size() && graph.slots.size() <= aligned.size(),
           "the first variant of a program set has all slots");
    graph.slots = std::move(aligned);
}

std::string nameOf(const VariantRequest& member, std::int64_t fullBatch) {
    std::string name = member.mode == Mode::train      ? "train"
                       : member.mode == Mode::evaluate ? "evaluate"
                                                       : "infer";
    name += member.batch == fullBatch ? "" : "/" + std::to_string(member.batch);
    if (const std::string does = nameOf(member.does); !does.empty()) {
        name += " " + does;
    }
    return member.isObserved ? name + " observed" : name;
}

Lowered lowerVariant(const ProgramSetRequest& request, const VariantRequest& member) {
    const LowerRequest wanted{.name = nameOf(member, request.members.front().batch),
                              .mode = member.mode,
                              .batch = member.batch};
    Lowered lowered = lower(*request.expanded, *request.layers, *request.ops, wanted);
    if (member.mode == Mode::infer && !hasErrors(lowered.problems)) {
        const InferenceDesign applied = inferencePart(*request.expanded, lowered.graph);
        lowered = lower(applied.design, *request.layers, *request.ops, wanted);
        addOutputs(lowered, applied);
    }
    if (member.mode != Mode::train || hasErrors(lowered.problems)) {
        return lowered;
    }
    const auto loss = std::ranges::find(lowered.graph.results, ResultKind::total, &Result::kind);
    const bool isAll = isWhole(*request.expanded, lowered);
    if (loss == lowered.graph.results.end()) {
        if (isAll) {
            lowered.problems.push_back({.code = "E040",
                                        .text = "the design has no loss to minimise",
                                        .fix = {"add a softmax_cross_entropy or mse layer", {}}});
        }
        return lowered;
    }
    if (isAll) {
        checkTarget(request, member.batch, lowered);
    }
    learn(lowered, request, loss->value, member.does);
    return lowered;
}

PlacementRequest placementRequest(const ProgramSetRequest& request) {
    PlacementRequest placing{
        .devices = request.devices, .layers = {}, .fallback = request.design->assignment};
    placing.machine = request.machine;
    placing.tables = request.tables;
    placing.bucketMegabytes = request.design->training.bucketMegabytes;
    const auto& layers = request.expanded->layers;
    for (const ExpandedLayer& layer : layers) {
        if (layer.isAssigned) {
            placing.layers[layer.origin] = layer.assignment;
        }
        for (const ExpandedInput& input : layer.inputs) {
            if (!input.scheme.empty()) {
                placing.schemes.push_back({layers[input.from].origin, layer.origin,
                                           layers[input.from].name + "." + input.fromPort + " -> " +
                                               layer.name + "." + input.port,
                                           input.scheme});
            }
        }
    }
    return placing;
}

void addObservedSteps(std::vector<VariantRequest>& members) {
    const std::size_t count = members.size();
    for (std::size_t k = 0; k < count; ++k) {
        if (members[k].mode == Mode::train) {
            VariantRequest observed = members[k];
            observed.isObserved = true;
            members.push_back(observed);
        }
    }
}

ProgramSet makeProgramSet(const ProgramSetRequest& request) {
    ProgramSet programSet;
    PlacementRequest placing = placementRequest(request);
    for (const VariantRequest& wanted : request.members) {
        if (wanted.isObserved) {
            programSet.members.push_back(observedVariant(programSet, wanted));
            continue;
        }
        const VariantRequest member = asRemembered(programSet, wanted);
        if (std::ranges::find(programSet.members, member, &Variant::request) !=
            programSet.members.end()) {
            continue;
        }
        Lowered lowered = lowerVariant(request, member);
        addMissing(programSet.problems, std::move(lowered.problems));
        if (hasErrors(programSet.problems)) {
            return programSet;
        }
        if (!programSet.members.empty()) {
            const Graph& first = *programSet.members.front().plan->graph;
            alignSlots(lowered.graph, first);
            if (const Slot* state = otherState(lowered.graph, first); state != nullptr) {
                addMissing(programSet.problems, {shortBatch(lowered, *state, member)});
                return programSet;
            }
        }
        OutputValues values = outputsOf(lowered);
        PlacementResult placed = place(lowered.graph, *request.ops, placing);
        addMissing(programSet.problems, std::move(placed.problems));
        if (hasErrors(programSet.problems)) {
            return programSet;
        }
        if (programSet.members.empty()) {
            placing.fixedSlots = slotHomesOf(placed.plan);
        }
        programSet.members.push_back(
            {member, std::make_shared<const Plan>(std::move(placed.plan)), std::move(values)});
    }
    return programSet;
}

} // namespace weft
