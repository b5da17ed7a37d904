// SPDX-License-Identifier: Apache-2.0
#include "lower/lower.h"

#include "base/text/mending.h"
#include "design/ports.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

namespace weft {

namespace {

constexpr const char* shapeCode = "E012";
constexpr const char* typeCode = "E013";

/// Returns a type that the port accepts if the port does not accept the given type.
std::optional<DType> wantedBy(const PortInfo& port, DType given) {
    switch (port.type) {
    case PortType::floating: return isFloating(given) ? std::nullopt : std::optional(DType::f32);
    case PortType::whole: return isFloating(given) ? std::optional(DType::i64) : std::nullopt;
    case PortType::any: break;
    }
    return std::nullopt;
}

class Driver {
public:
    Driver(const ExpandedDesign& design, const LayerList& layers, const OpList& ops,
           const LowerRequest& request)
        : design_(design), layers_(layers), request_(request), builder_(lowered_.graph, ops) {
        lowered_.graph.name = request.name;
        // Room for backward and update, too, to avoid repeated reallocations.
        lowered_.graph.values.reserve(design.layers.size() * 9);
        lowered_.graph.nodes.reserve(design.layers.size() * 7);
        lowered_.graph.slots.reserve(design.layers.size() * 2);
    }

    Lowered run() {
        lowered_.outputs.reserve(design_.layers.size());
        for (const ExpandedLayer& layer : design_.layers) {
            lowered_.outputs.push_back({layer.origin, {}});
            lowerOne(layer);
        }
        sumLosses();
        return std::move(lowered_);
    }

private:
    /// Returns the value at an output port of a layer that is lowered, or none.
    [[nodiscard]] ValueId outputOf(std::size_t layer, const std::string& port) const {
        const auto& ports = lowered_.outputs[layer].ports;
        const auto found = std::ranges::find(ports, port, &std::pair<std::string, ValueId>::first);
        return found == ports.end() ? ValueId{} : found->second;
    }

    void lowerOne(const ExpandedLayer& layer) {
        const LayerKind* kind = layers_.find(layer.kind);
        if (kind == nullptr) {
            return; // expand has reported it
        }
        Lowering::Request request{.origin = layer.origin,
                                  .name = layer.name,
                                  .attributes = layer.attributes,
                                  .inputs = {},
                                  .mode = request_.mode,
                                  .batch = request_.batch};
        for (const ExpandedInput& input : layer.inputs) {
            const ValueId value = outputOf(input.from, input.fromPort);
            if (value.isNone()) {
                return; // its source is broken or left out, which is reported or needs no message
            }
            request.inputs.emplace_back(input.port, value);
        }
        if (isMissingInput(*kind, request) || isOfOtherType(layer, *kind, request)) {
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
            if (builder_.hasNoShape(value)) {
                continue;
            }
            lowered_.outputs.back().ports.emplace_back(port, value);
            if (lowered_.graph.at(value).name.empty()) {
                builder_.name(value, layer.name + "." + port);
            }
        }
    }

    static bool isMissingInput(const LayerKind& kind, const Lowering::Request& request) {
        return std::ranges::any_of(kind.info.inputs, [&](const PortInfo& port) {
            return !isOptional(port, request.attributes) &&
                   std::ranges::none_of(request.inputs, [&](const auto& input) {
                       return input.first == port.name ||
                              (port.variadic && input.first.starts_with(port.name));
                   });
        });
    }

    bool isOfOtherType(const ExpandedLayer& layer, const LayerKind& kind,
                       const Lowering::Request& request) {
        bool isOther = false;
        for (const auto& [name, value] : request.inputs) {
            const PortInfo* port = findPort(kind.info.inputs, name);
            const auto wanted = wantedBy(*port, lowered_.graph.at(value).dtype);
            if (wanted) {
                addTypeProblem(layer, name,
                               port->type == PortType::whole ? "whole numbers"
                                                             : "floating-point numbers",
                               value, *wanted);
            }
            isOther = isOther || wanted;
        }
        return isOther;
    }

    void addTypeProblem(const ExpandedLayer& layer, const std::string& port,
                        const std::string& takes, ValueId value, DType wanted) {
        const DType given = lowered_.graph.at(value).dtype;
        const Feed* feed = feedBehind(value);
        const std::string dtype(nameOf(wanted));
        Diagnostic problem{
            .code = typeCode,
            .layer = layer.origin.layer,
            .layerName = layer.name,
            .port = port,
            .text = fmt::format("input is {}; {} needs {}", nameOf(given), layer.kind, takes),
            .fix = {"connect values of that type", {}}};
        if (feed != nullptr) {
            problem.fix = fixBy(fmt::format("set dtype to {} in {}", dtype, feed->name), "set",
                                {feed->name, "dtype", dtype});
        }
        lowered_.problems.push_back(std::move(problem));
    }

    /// Returns the input layer that a value comes from, if ops in between only rearrange elements.
    [[nodiscard]] const Feed* feedBehind(ValueId value) const {
        const Graph& graph = lowered_.graph;
        const DType dtype = graph.at(value).dtype;
        while (!graph.at(value).producer.isNone()) {
            const Node& node = graph.at(graph.at(value).producer);
            if (node.inputs.empty() || graph.at(node.inputs.front()).dtype != dtype ||
                node.op->inputs.front().type != OperandType::any) {
                return nullptr;
            }
            value = node.inputs.front();
        }
        const auto feed = std::ranges::find(graph.feeds, value, &Feed::value);
        return feed == graph.feeds.end() || feed->kind != FeedKind::data ? nullptr : &*feed;
    }

    void report(const ExpandedLayer& layer, const LayerKind& kind, const Lowering& lowering) {
        for (const ShapeRefusal& refusal : builder_.takeRefusals()) {
            const std::string port = kind.info.inputs.empty() ? "" : kind.info.inputs.front().name;
            if (refusal.wanted) {
                addTypeProblem(
                    layer, port,
                    fmt::format("{}, the type of its other inputs", nameOf(*refusal.wanted)),
                    refusal.value, *refusal.wanted);
                continue;
            }
            addProblem(layer, kind, refusal.reason, port, refusal.insert);
        }
        for (const Lowering::Refusal& refusal : lowering.refusals()) {
            addProblem(layer, kind, refusal.reason, refusal.port, refusal.insert);
        }
        for (const Lowering::LossNeed& need : lowering.lossNeeds()) {
            withoutLoss_.push_back(
                {.code = "W072",
                 .severity = Severity::warning,
                 .layer = layer.origin.layer,
                 .layerName = layer.name,
                 .attribute = need.attribute,
                 .text = fmt::format("{}, but the design has no loss", need.reason),
                 .fix = fixBy(fmt::format("set {} to {}", need.attribute, need.usual), "set",
                              {layer.name, need.attribute, need.usual})});
        }
    }

    void addProblem(const ExpandedLayer& layer, const LayerKind& kind, const std::string& text,
                    const std::string& port, const std::string& insert) {
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
        } else {
            problem.fix = shapeForInput(layer, kind);
        }
        lowered_.problems.push_back(std::move(problem));
    }

    /// Returns a fix that gives a shape to an input layer without one that feeds this layer: the
    /// shape of another input of the layer if a sample of the kind has equal shapes there, else the
    /// sample's.
    [[nodiscard]] Fix shapeForInput(const ExpandedLayer& layer, const LayerKind& kind) const {
        const auto sampleOf = [&](const ExpandedInput& input) {
            const PortInfo* port = findPort(kind.info.inputs, input.port);
            const auto place = static_cast<std::size_t>(port - kind.info.inputs.data());
            return kind.samples.empty() || place >= kind.samples.front().inputs.size()
                       ? Shape()
                       : kind.samples.front().inputs[place];
        };
        const auto shapeOf = [&](const ExpandedInput& input) -> const Shape& {
            return lowered_.graph.at(outputOf(input.from, input.fromPort)).shape;
        };
        for (const ExpandedInput& input : layer.inputs) {
            const Feed* feed = feedBehind(outputOf(input.from, input.fromPort));
            Shape wanted = sampleOf(input);
            if (feed == nullptr || shapeOf(input).size() != 1 || wanted.size() < 2) {
                continue;
            }
            for (const ExpandedInput& other : layer.inputs) {
                if (sampleOf(other) == wanted && shapeOf(other).size() > 1) {
                    wanted = shapeOf(other);
                    break;
                }
            }
            wanted.erase(wanted.begin()); // the batch
            const std::string shape = toString(wanted);
            return fixBy(fmt::format("set shape to {} in {}", shape, feed->name), "set",
                         {feed->name, "shape", shape});
        }
        return {};
    }

    /// Requires one floating-point type in the design, given by its inputs, since losses are added
    /// and gradient norms are computed together.
    void requireOneType() {
        const Feed* single = nullptr;
        const Feed* twice = nullptr;
        bool isSingle = false;
        for (const Feed& feed : lowered_.graph.feeds) {
            const DType dtype = lowered_.graph.at(feed.value).dtype;
            const bool isData = feed.kind == FeedKind::data;
            single = isData && dtype == DType::f32 ? &feed : single;
            twice = isData && dtype == DType::f64 ? &feed : twice;
        }
        for (const Slot& slot : lowered_.graph.slots) {
            isSingle = isSingle || slot.dtype == DType::f32;
        }
        if (twice == nullptr || (single == nullptr && !isSingle) || !lowered_.problems.empty()) {
            return;
        }
        lowered_.problems.push_back(
            {.code = typeCode,
             .layer = twice->origin.layer,
             .layerName = twice->name,
             .attribute = "dtype",
             .text = "this input is f64, but other values of the design are f32; a design computes "
                     "in a single floating-point type",
             .fix = fixBy("set dtype to f32", "set", {twice->name, "dtype", "f32"})});
    }

    [[nodiscard]] std::vector<ValueId> resultsOf(ResultKind kind) const {
        std::vector<ValueId> values;
        for (const Result& result : lowered_.graph.results) {
            if (result.kind == kind) {
                values.push_back(result.value);
            }
        }
        return values;
    }

    void sumLosses() {
        std::vector<ValueId> losses = resultsOf(ResultKind::loss);
        const bool isEnergy = losses.empty();
        if (isEnergy) {
            losses = resultsOf(ResultKind::energy);
        }
        if (losses.empty()) {
            return;
        }
        requireOneType();
        // A layer that errors exclude may have been a loss.
        const bool isAll =
            design_.isWhole && lowered_.graph.layerNames.size() == design_.layers.size();
        if (isEnergy && isAll && lowered_.problems.empty()) {
            std::ranges::move(withoutLoss_, std::back_inserter(lowered_.problems));
        }
        builder_.setPass(Pass::forward);
        builder_.setRole("loss");
        builder_.setOrigin(lowered_.graph.at(lowered_.graph.at(losses.back()).producer).origin);
        const ValueId total = losses.size() == 1 ? losses.front() : builder_.add("add", losses);
        lowered_.graph.results.push_back(
            {isEnergy ? "energy" : "loss", ResultKind::total, total, {}});
    }

    const ExpandedDesign& design_;
    const LayerList& layers_;
    const LowerRequest& request_;
    Lowered lowered_;
    std::vector<Diagnostic> withoutLoss_; ///< reported if there is no loss
    Builder builder_;
};

} // namespace

OutputValues outputsOf(const Lowered& lowered) {
    OutputValues values;
    for (const LayerOutputs& layer : lowered.outputs) {
        for (const auto& [port, value] : layer.ports) {
            values[{layer.origin, port}] = value;
        }
    }
    return values;
}

Lowered lower(const ExpandedDesign& design, const LayerList& layers, const OpList& ops,
              const LowerRequest& request) {
    return Driver(design, layers, ops, request).run();
}

} // namespace weft
