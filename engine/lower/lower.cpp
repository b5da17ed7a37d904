// SPDX-License-Identifier: Apache-2.0
#include "lower/lower.h"

#include "base/mending.h"
#include "design/ports.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace weft {

namespace {

constexpr const char* shapeCode = "E012";
constexpr const char* typeCode = "E013";

/// A type that the port takes, when it does not take this one.
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
           const LowerRequest& request, const LoweredBefore* before)
        : design_(design),
          layers_(layers),
          request_(request),
          before_(before),
          isNamed_(design.layers.size(), false),
          builder_(lowered_.graph, ops) {
        lowered_.graph.name = request.name;
        // Backward and update too: what grows piece by piece is moved again and again.
        lowered_.graph.values.reserve(design.layers.size() * 9);
        lowered_.graph.nodes.reserve(design.layers.size() * 7);
        lowered_.graph.slots.reserve(design.layers.size() * 2);
        if (before_ != nullptr) {
            before_->taking->into(lowered_.graph);
            lowered_.graph.layerNames = std::move(before_->taking->last().layerNames);
        }
    }

    Lowered run() {
        LayerParts& parts = lowered_.parts.layers;
        parts.layers.reserve(design_.layers.size() + 1);
        for (std::size_t k = 0; k < design_.layers.size(); ++k) {
            beginPart();
            parts.layers.back().origin = design_.layers[k].origin;
            const std::size_t then = positionBefore(k);
            if (then == nowhere || !takeOver(k, then)) {
                lowerOne(design_.layers[k]);
                pairOutputs(then);
            }
            parts.layers.back().to = GraphTaking::markOf(lowered_.graph);
        }
        beginPart();
        const auto named = static_cast<std::size_t>(std::ranges::count(isNamed_, true));
        if (before_ != nullptr && lowered_.graph.layerNames.size() != named) {
            nameAnew();
        }
        sumLosses();
        return std::move(lowered_);
    }

private:
    static constexpr std::size_t nowhere = ExpandedDesign::nowhere;

    void beginPart() {
        LayerParts& parts = lowered_.parts.layers;
        parts.layers.push_back({.from = GraphTaking::markOf(lowered_.graph),
                                .inputs = parts.inputs.size(),
                                .outputs = parts.outputs.size()});
    }

    /// Layers stand in the same order as before but for few: one is looked for from where the last
    /// one stood.
    std::size_t positionBefore(std::size_t layer) {
        constexpr std::size_t farthest = 8;
        if (before_ == nullptr) {
            return nowhere;
        }
        if (!design_.was.empty() && design_.was[layer] != nowhere) {
            next_ = design_.was[layer] + 1;
            return design_.was[layer];
        }
        const auto& layers = before_->parts.layers.layers;
        const std::size_t end = std::min(layers.size() - 1, next_ + farthest);
        for (std::size_t k = next_; k < end; ++k) {
            if (layers[k].origin == design_.layers[layer].origin) {
                next_ = k + 1;
                return k;
            }
        }
        return nowhere;
    }

    /// The value at an output port of a layer that is lowered; none: it has none.
    [[nodiscard]] ValueId outputOf(std::size_t layer, const std::string& port) const {
        const LayerParts& parts = lowered_.parts.layers;
        const auto begin = parts.outputs.begin();
        const auto first = begin + static_cast<std::ptrdiff_t>(parts.layers[layer].outputs);
        const auto end = begin + static_cast<std::ptrdiff_t>(parts.layers[layer + 1].outputs);
        const auto found =
            std::find_if(first, end, [&](const auto& output) { return output.first == port; });
        return found == end ? ValueId{} : found->second;
    }

    static bool isSame(const ExpandedLayer& a, const ExpandedLayer& b) {
        return a.kind == b.kind && a.name == b.name && a.attributes == b.attributes &&
               std::ranges::equal(a.inputs, b.inputs, {}, &ExpandedInput::port,
                                  &ExpandedInput::port);
    }

    bool takeOver(std::size_t k, std::size_t then) {
        const ExpandedLayer& layer = design_.layers[k];
        const ExpandedLayer& was = before_->design->layers[then];
        const LayerParts& last = before_->parts.layers;
        const LayerParts::Part& part = last.layers[then];
        const std::size_t inputs = last.layers[then + 1].inputs - part.inputs;
        const bool isMoved = !design_.was.empty() && design_.was[k] != nowhere;
        if (layer.inputs.size() != inputs || (!isMoved && !isSame(layer, was))) {
            return false;
        }
        GraphTaking& taking = *before_->taking;
        for (std::size_t i = 0; i < inputs; ++i) {
            const ValueId value = outputOf(layer.inputs[i].from, layer.inputs[i].fromPort);
            if (value.isNone() || !taking.isSame(value, last.inputs[part.inputs + i])) {
                return false;
            }
        }
        if (!taking.canTake(part.from, part.to)) {
            return false;
        }
        for (std::size_t i = 0; i < inputs; ++i) {
            lowered_.parts.layers.inputs.push_back(taking.now(last.inputs[part.inputs + i]));
        }
        taking.take(part.from, part.to);
        for (std::size_t o = part.outputs; o < last.layers[then + 1].outputs; ++o) {
            lowered_.parts.layers.outputs.emplace_back(last.outputs[o].first,
                                                       taking.now(last.outputs[o].second));
        }
        isNamed_[k] = true;
        return true;
    }

    /// What others read of a layer that was lowered anew may be of the same type and name.
    void pairOutputs(std::size_t then) {
        if (then == nowhere) {
            return;
        }
        const LayerParts& last = before_->parts.layers;
        const LayerParts& parts = lowered_.parts.layers;
        for (std::size_t o = last.layers[then].outputs; o < last.layers[then + 1].outputs; ++o) {
            for (std::size_t k = parts.layers.back().outputs; k < parts.outputs.size(); ++k) {
                if (parts.outputs[k].first == last.outputs[o].first) {
                    before_->taking->pair(last.outputs[o].second, parts.outputs[k].second);
                }
            }
        }
    }

    void nameAnew() {
        lowered_.graph.layerNames.clear();
        for (std::size_t k = 0; k < design_.layers.size(); ++k) {
            if (isNamed_[k]) {
                lowered_.graph.layerNames[design_.layers[k].origin] = design_.layers[k].name;
            }
        }
    }

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
            const ValueId value = outputOf(input.from, input.fromPort);
            if (value.isNone()) {
                return; // its source is broken or left out: that was or needs no message
            }
            request.inputs.emplace_back(input.port, value);
        }
        if (isMissingInput(*kind, request) || isOfOtherType(layer, *kind, request)) {
            return;
        }
        for (const auto& [port, value] : request.inputs) {
            lowered_.parts.layers.inputs.push_back(value);
        }
        isNamed_[lowered_.parts.layers.layers.size() - 1] = true;
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
            lowered_.parts.layers.outputs.emplace_back(port, value);
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

    bool isOfOtherType(const ExpandedLayer& layer, const LayerKind& kind,
                       const Lowering::Request& request) {
        bool isOther = false;
        for (const auto& [name, value] : request.inputs) {
            const PortInfo* port = findPort(kind.info.inputs, name);
            const auto wanted = wantedBy(*port, lowered_.graph.at(value).dtype);
            if (wanted) {
                addTypeProblem(layer, name,
                               port->type == PortType::whole ? "whole numbers" : "floating numbers",
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
            .text = fmt::format("input is {}; {} takes {} there", nameOf(given), layer.kind, takes),
            .fix = {"wire values of such a type to it", {}}};
        if (feed != nullptr) {
            problem.fix = fixBy(fmt::format("set dtype {} of {}", dtype, feed->name), "set",
                                {feed->name, "dtype", dtype});
        }
        lowered_.problems.push_back(std::move(problem));
    }

    /// The input layer that the value is, whatever only arranges its elements in between.
    [[nodiscard]] const Feed* feedBehind(ValueId value) const {
        const Graph& graph = lowered_.graph;
        const DType dtype = graph.at(value).dtype;
        while (!graph.at(value).producer.isNone()) {
            const Node& node = graph.at(graph.at(value).producer);
            if (node.inputs.empty() || graph.at(node.inputs.front()).dtype != dtype ||
                node.op->inputs.front().type != Operand::any) {
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
                addTypeProblem(layer, port,
                               fmt::format("{} as its others", nameOf(*refusal.wanted)),
                               refusal.value, *refusal.wanted);
                continue;
            }
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

    /// Losses are added and gradients are measured together: a design computes in one floating
    /// type, which its inputs bring.
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
             .text = "it is f64, and others of the design are f32; one design computes in one "
                     "floating type",
             .fix = fixBy("set dtype f32", "set", {twice->name, "dtype", "f32"})});
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
        requireOneType();
        builder_.setPass(Pass::forward);
        builder_.setRole("loss");
        builder_.setOrigin(lowered_.graph.at(lowered_.graph.at(losses.back()).producer).origin);
        const ValueId total = losses.size() == 1 ? losses.front() : builder_.add("add", losses);
        lowered_.graph.results.push_back({"loss", ResultKind::total, total, {}});
        if (before_ != nullptr) {
            const auto& results = before_->taking->last().results;
            const auto was = std::ranges::find(results, ResultKind::total, &Result::kind);
            before_->taking->pair(was->value, total);
        }
    }

    const ExpandedDesign& design_;
    const LayerList& layers_;
    const LowerRequest& request_;
    const LoweredBefore* before_;
    std::size_t next_ = 0;      ///< layer of the last design to be looked at
    std::vector<bool> isNamed_; ///< by layer: it was lowered
    Lowered lowered_;
    Builder builder_;
};

} // namespace

OutputValues outputsOf(const Lowered& lowered) {
    const LayerParts& parts = lowered.parts.layers;
    OutputValues values;
    for (std::size_t k = 0; k + 1 < parts.layers.size(); ++k) {
        for (std::size_t o = parts.layers[k].outputs; o < parts.layers[k + 1].outputs; ++o) {
            values[{parts.layers[k].origin, parts.outputs[o].first}] = parts.outputs[o].second;
        }
    }
    return values;
}

Lowered lower(const ExpandedDesign& design, const LayerList& layers, const OpList& ops,
              const LowerRequest& request, const LoweredBefore* before) {
    return Driver(design, layers, ops, request, before).run();
}

} // namespace weft
