// SPDX-License-Identifier: Apache-2.0
#include "lower/lower.h"

#include <weft/error.h>

#include <algorithm>

namespace weft {

namespace {

constexpr const char* shapeCode = "E012";

class Driver {
public:
    Driver(const ExpandedDesign& design, const LayerList& layers, const OpList& ops,
           const LowerRequest& request)
        : design_(design), layers_(layers), request_(request), builder_(lowered_.graph, ops) {
        lowered_.graph.name = request.name;
        // Backward and update too: what grows piece by piece is moved again and again.
        lowered_.graph.values.reserve(design.layers.size() * 9);
        lowered_.graph.nodes.reserve(design.layers.size() * 7);
        lowered_.graph.slots.reserve(design.layers.size() * 2);
    }

    Lowered run() {
        for (const ExpandedLayer& layer : design_.layers) {
            lowerOne(layer);
        }
        sumLosses();
        return std::move(lowered_);
    }

private:
    void lowerOne(const ExpandedLayer& layer) {
        const LayerKind* kind = layers_.find(layer.kind);
        if (kind == nullptr) {
            return; // expand has said so
        }
        Lowering::Request request{.origin = layer.origin,
                                  .name = layer.name,
                                  .attributes = layer.attributes,
                                  .inputs = {},
                                  .mode = request_.mode,
                                  .batch = request_.batch};
        for (const ExpandedInput& input : layer.inputs) {
            const auto found =
                lowered_.values.find({design_.layers[input.from].origin, input.fromPort});
            if (found == lowered_.values.end()) {
                return; // its source is broken or left out: that was or needs no message
            }
            request.inputs.emplace_back(input.port, found->second);
        }
        if (isMissingInput(*kind, request)) {
            return;
        }
        lowered_.graph.layerNames[layer.origin] = layer.name;
        builder_.setOrigin(layer.origin);
        builder_.setRole({});
        builder_.setPass(Pass::forward);
        Lowering lowering(builder_, std::move(request));
        kind->lower(lowering);
        report(layer, *kind, lowering);
        for (const auto& [port, value] : lowering.outputs()) {
            if (builder_.isBroken(value)) {
                continue;
            }
            lowered_.values[{layer.origin, port}] = value;
            lowered_.shapes[{layer.origin, port}] = builder_.shape(value);
            if (lowered_.graph.at(value).name.empty()) {
                builder_.name(value, layer.name + "." + port);
            }
        }
    }

    static bool isMissingInput(const LayerKind& kind, const Lowering::Request& request) {
        return std::ranges::any_of(kind.info.inputs, [&](const PortInfo& port) {
            return !port.optional && std::ranges::none_of(request.inputs, [&](const auto& input) {
                return input.first == port.name ||
                       (port.variadic && input.first.starts_with(port.name));
            });
        });
    }

    void report(const ExpandedLayer& layer, const LayerKind& kind, const Lowering& lowering) {
        for (const ShapeRefusal& refusal : builder_.takeRefusals()) {
            const std::string port = kind.info.inputs.empty() ? "" : kind.info.inputs.front().name;
            addProblem(layer, refusal.reason, port, refusal.insert);
        }
        for (const Lowering::Refusal& refusal : lowering.refusals()) {
            addProblem(layer, refusal.reason, refusal.port, refusal.insert);
        }
    }

    void addProblem(const ExpandedLayer& layer, const std::string& text, const std::string& port,
                    const std::string& insert) {
        Diagnostic problem{.code = shapeCode,
                           .layer = layer.origin.layer,
                           .layerName = layer.name,
                           .port = port,
                           .text = text};
        if (!insert.empty()) {
            problem.fix.text = "insert " + insert;
            const auto wired = std::ranges::find(layer.inputs, port, &ExpandedInput::port);
            if (wired != layer.inputs.end()) {
                problem.fix.edits.push_back(
                    {"insert",
                     {insert, design_.layers[wired->from].name + "." + wired->fromPort + " -> " +
                                  layer.name + "." + port}});
            }
        }
        lowered_.problems.push_back(std::move(problem));
    }

    void sumLosses() {
        std::vector<ValueId> losses;
        for (const Result& result : lowered_.graph.results) {
            if (result.kind == ResultKind::loss) {
                losses.push_back(result.value);
            }
        }
        if (losses.empty()) {
            return;
        }
        builder_.setPass(Pass::forward);
        builder_.setRole("loss");
        builder_.setOrigin(lowered_.graph.at(lowered_.graph.at(losses.back()).producer).origin);
        const ValueId total = losses.size() == 1 ? losses.front() : builder_.add("add", losses);
        lowered_.graph.results.push_back({"loss", ResultKind::total, total, {}});
    }

    const ExpandedDesign& design_;
    const LayerList& layers_;
    const LowerRequest& request_;
    Lowered lowered_;
    Builder builder_;
};

} // namespace

Lowered lower(const ExpandedDesign& design, const LayerList& layers, const OpList& ops,
              const LowerRequest& request) {
    return Driver(design, layers, ops, request).run();
}

} // namespace weft
