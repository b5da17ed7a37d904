// SPDX-License-Identifier: Apache-2.0
#include "compile/applied.h"

#include "lower/part_of.h"

#include <algorithm>
#include <set>

namespace weft {

namespace {

std::set<Origin> lossesOf(const Graph& graph) {
    std::set<Origin> origins;
    for (const Result& result : graph.results) {
        if (result.kind == ResultKind::loss || result.kind == ResultKind::metric) {
            origins.insert(graph.at(graph.at(result.value).producer).origin);
        }
    }
    return origins;
}

/// Returns which layers depend on weights. A chain that only prepares targets does not.
std::vector<bool> trainedOf(const ExpandedDesign& design, const Graph& graph) {
    std::vector<bool> trained(design.layers.size(), false);
    for (std::size_t k = 0; k < design.layers.size(); ++k) {
        const ExpandedLayer& layer = design.layers[k];
        trained[k] =
            std::ranges::any_of(graph.slots,
                                [&](const Slot& slot) { return slot.origin == layer.origin; }) ||
            std::ranges::any_of(layer.inputs,
                                [&](const ExpandedInput& input) { return trained[input.from]; });
    }
    return trained;
}

} // namespace

InferenceDesign inferencePart(const ExpandedDesign& design, const Graph& lowered) {
    const std::set<Origin> losses = lossesOf(lowered);
    const std::vector<bool> trained = trainedOf(design, lowered);
    const bool anyTrained = std::ranges::find(trained, true) != trained.end();
    const std::size_t count = design.layers.size();
    std::vector<bool> isRead(count, false);
    for (const ExpandedLayer& layer : design.layers) {
        for (const ExpandedInput& input : layer.inputs) {
            isRead[input.from] = isRead[input.from] || !losses.contains(layer.origin);
        }
    }
    InferenceDesign applied;
    std::vector<bool> needed(count, false);
    // Layers come after their inputs in the list, so one pass from the end finds all needed layers.
    for (std::size_t k = count; k-- > 0;) {
        const ExpandedLayer& layer = design.layers[k];
        const bool isOutput = !isRead[k] && !losses.contains(layer.origin) &&
                              (trained[k] || (!anyTrained && !layer.inputs.empty()));
        if (isOutput) {
            applied.outputs.insert(applied.outputs.begin(), layer.origin);
        }
        needed[k] = needed[k] || isOutput;
        for (const ExpandedInput& input : layer.inputs) {
            needed[input.from] = needed[input.from] || needed[k];
        }
    }
    applied.design = partOf(design, needed);
    applied.design.problems = design.problems;
    return applied;
}

void addOutputs(Lowered& lowered, const InferenceDesign& applied) {
    const OutputValues values = outputsOf(lowered);
    for (const Origin origin : applied.outputs) {
        for (const auto& [port, value] : values) {
            if (port.first == origin) {
                lowered.graph.results.push_back(
                    {.name = lowered.graph.layerName(origin) + "." + port.second,
                     .kind = ResultKind::output,
                     .value = value,
                     .origin = origin});
            }
        }
    }
}

} // namespace weft
