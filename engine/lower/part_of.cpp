// SPDX-License-Identifier: Apache-2.0
#include "lower/part_of.h"

#include <algorithm>
#include <string>

namespace weft {

namespace {

/// True if a problem belongs to this layer. A problem inside a group refers to the definition and
/// so to every copy.
bool isOf(const Diagnostic& problem, const ExpandedLayer& layer) {
    return problem.severity == Severity::error && problem.layer == layer.origin.layer &&
           (problem.group.empty() ? problem.layerName == layer.name
                                  : layer.name.ends_with("/" + problem.layerName));
}

} // namespace

ExpandedDesign partOf(const ExpandedDesign& design, const std::vector<bool>& keeps) {
    ExpandedDesign part;
    part.isWhole = design.isWhole && std::ranges::find(keeps, false) == keeps.end();
    std::vector<std::size_t> place(design.layers.size(), 0);
    for (std::size_t k = 0; k < design.layers.size(); ++k) {
        if (!keeps[k]) {
            continue;
        }
        place[k] = part.layers.size();
        part.layers.push_back(design.layers[k]);
        for (ExpandedInput& input : part.layers.back().inputs) {
            input.from = place[input.from];
        }
    }
    return part;
}

std::vector<bool> layersWithoutErrors(const ExpandedDesign& design, const LayerList& layers,
                                      const Lowered& lowered,
                                      const std::vector<Diagnostic>& problems) {
    std::vector<const Diagnostic*> faults;
    for (const Diagnostic& problem : problems) {
        if (problem.severity == Severity::error && !problem.layer.isNone()) {
            faults.push_back(&problem);
        }
    }
    std::vector<bool> sound(design.layers.size(), false);
    for (std::size_t k = 0; k < design.layers.size(); ++k) {
        const ExpandedLayer& layer = design.layers[k];
        const LayerKind* kind = layers.find(layer.kind);
        sound[k] =
            kind != nullptr && lowered.graph.layerNames.contains(layer.origin) &&
            lowered.outputs[k].ports.size() == outputPorts(kind->info, layer.attributes).size() &&
            std::ranges::none_of(faults,
                                 [&](const Diagnostic* fault) { return isOf(*fault, layer); }) &&
            std::ranges::all_of(layer.inputs,
                                [&](const ExpandedInput& input) { return sound[input.from]; });
    }
    return sound;
}

} // namespace weft
