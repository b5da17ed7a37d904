// SPDX-License-Identifier: Apache-2.0
#include "catalogue/fitting_kinds.h"

#include <weft/edits.h>

namespace weft::ui {

namespace {

/// Returns a design with one input layer that produces such a value.
Design feeding(const PortPreview& value) {
    Design design;
    Layer input{.name = "value", .kind = "input"};
    input.attributes.set("shape", Shape(value.shape.begin() + 1, value.shape.end()));
    input.attributes.set("dtype", std::string(nameOf(value.dtype)));
    design.data.batch = value.shape.front();
    addLayer(design, {}, std::move(input));
    return design;
}

} // namespace

std::map<std::string, std::string> refusalsOf(const std::vector<LayerKindInfo>& kinds,
                                              const PortPreview& value) {
    std::map<std::string, std::string> refusals;
    if (value.shape.empty()) {
        return refusals;
    }
    const Design feed = feeding(value);
    const Endpoint from{feed.network.layers.front().id, "y"};
    PreviewCache cache;
    for (const LayerKindInfo& kind : kinds) {
        if (kind.inputs.empty()) {
            continue;
        }
        const PortInfo& first = kind.inputs.front();
        const std::string port = first.name + (first.variadic ? "0" : "");
        Design tried = feed;
        const LayerId layer = addLayer(tried, {}, {.name = "tried", .kind = kind.kind}).layer();
        connect(tried, {}, from, {layer, port});
        const auto shown =
            preview(tried, cache, {.wantsLegal = false, .until = PreviewPart::shapes});
        for (const Diagnostic& problem : shown->problems) {
            if (problem.layer == layer && problem.port == port &&
                problem.severity == Severity::error) {
                refusals.emplace(kind.kind, problem.text);
            }
        }
    }
    return refusals;
}

} // namespace weft::ui
