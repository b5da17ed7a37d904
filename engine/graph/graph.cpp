// SPDX-License-Identifier: Apache-2.0
#include "graph/graph.h"

#include "base/hash.h"
#include "graph/op.h"
#include "graph/repeat.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>

namespace weft {

std::string_view nameOf(SlotKind kind) {
    switch (kind) {
    case SlotKind::parameter: return "parameter";
    case SlotKind::optimizerState: return "optimizer state";
    case SlotKind::statistics: return "statistics";
    case SlotKind::layerState: return "layer state";
    case SlotKind::accumulator: return "accumulator";
    }
    return "";
}

std::uint64_t randomKeyOf(const Node& node, std::uint64_t seed) {
    return node.op->random ? hash64(fmt::format("{}/{}/{}/{}", seed, node.origin.layer.value,
                                                node.origin.instance, node.role))
                           : 0;
}

SlotId Graph::slotOf(ValueId value) const {
    for (std::uint32_t k = 0; k < slots.size(); ++k) {
        if (slots[k].value == value) {
            return {k};
        }
    }
    return {};
}

SlotId Graph::slotNamed(std::string_view slotName) const {
    for (std::uint32_t k = 0; k < slots.size(); ++k) {
        if (slots[k].name == slotName) {
            return {k};
        }
    }
    return {};
}

bool isLessBetter(const Result& result) {
    switch (result.kind) {
    case ResultKind::loss:
    case ResultKind::total:
    case ResultKind::energy: return true;
    default: return result.isCost;
    }
}

const std::string& Graph::layerName(Origin origin) const {
    static const std::string none;
    const auto found = layerNames.find(origin);
    return found == layerNames.end() ? none : found->second;
}

namespace {

[[noreturn]] void broken(const Graph& graph, const Node& node, const std::string& what) {
    throw Error(ErrorCode::bug, Where{.layer = graph.layerName(node.origin), .op = node.op->name},
                what, "this is a fault of Weft: please report it with the design");
}

void verifyShapes(const Graph& graph, const Node& node) {
    Signature signature{.attributes = node.attributes, .inputs = {}, .outputs = {}};
    for (const ValueId id : node.inputs) {
        signature.inputs.push_back({graph.at(id).dtype, graph.at(id).shape});
    }
    signature.outputs.resize(node.outputs.size());
    for (std::size_t k = 0; k < node.outputs.size(); ++k) {
        signature.outputs[k].dtype = graph.at(node.outputs[k]).dtype;
    }
    if (!node.op->shape || node.op->bodied) {
        return;
    }
    ShapeInference inference(signature);
    node.op->shape(inference);
    if (inference.isRefused()) {
        broken(graph, node, inference.reason());
    }
    for (std::size_t k = 0; k < node.outputs.size(); ++k) {
        const Value& value = graph.at(node.outputs[k]);
        if (signature.outputs[k].shape != value.shape ||
            signature.outputs[k].dtype != value.dtype) {
            broken(graph, node,
                   fmt::format("result {} is {}, but its op infers {}", k, toString(value.shape),
                               toString(signature.outputs[k].shape)));
        }
    }
}

} // namespace

void verify(const Graph& graph) {
    std::vector<bool> made(graph.values.size(), false);
    const auto make = [&](ValueId id) {
        ensure(id.value < graph.values.size(), "a value id belongs to the graph");
        ensure(!made[id.value], "a value has one producer");
        made[id.value] = true;
    };
    std::ranges::for_each(graph.feeds, make, &Feed::value);
    std::ranges::for_each(graph.slots, make, &Slot::value);
    std::ranges::for_each(graph.bodyInputs, make);
    for (std::uint32_t n = 0; n < graph.nodes.size(); ++n) {
        const Node& node = graph.nodes[n];
        ensure(node.op != nullptr, "a node has an op");
        for (const ValueId input : node.inputs) {
            if (input.value >= made.size() || !made[input.value]) {
                broken(graph, node, "an operand is used before it is computed");
            }
        }
        for (std::uint32_t k = 0; k < node.outputs.size(); ++k) {
            make(node.outputs[k]);
            const Value& value = graph.at(node.outputs[k]);
            ensure(value.producer == NodeId{n} && value.output == k,
                   "a value refers to the node that computes it");
        }
        verifyShapes(graph, node);
        if (node.body) {
            verifyRepeat(graph, node);
            verify(*node.body);
        }
    }
    for (const Slot& slot : graph.slots) {
        ensure(graph.at(slot.value).shape == slot.shape,
               "a slot and its value have the same shape");
        ensure(slot.next.isNone() || graph.at(slot.next).shape == slot.shape,
               "a slot keeps its shape");
    }
    for (const Result& result : graph.results) {
        ensure(made[result.value.value], "every result is computed");
    }
}

namespace {

std::string printValue(const Graph& graph, ValueId id) {
    const Value& value = graph.at(id);
    return fmt::format("%{}{} {}{}", id.value, value.name.empty() ? "" : " " + value.name,
                       nameOf(value.dtype), toString(value.shape));
}

void printInto(const Graph& graph, std::string& text, const std::string& indent) {
    for (const Feed& feed : graph.feeds) {
        text += fmt::format("{}feed {}: {}\n", indent, feed.name, printValue(graph, feed.value));
    }
    for (const Slot& slot : graph.slots) {
        text += fmt::format("{}slot {} ({}): {}{}\n", indent, slot.name, nameOf(slot.kind),
                            printValue(graph, slot.value),
                            slot.next.isNone() ? "" : fmt::format(" <- %{}", slot.next.value));
    }
    for (const Node& node : graph.nodes) {
        std::string inputs;
        for (const ValueId input : node.inputs) {
            inputs += fmt::format("{}%{}", inputs.empty() ? "" : ", ", input.value);
        }
        std::string outputs;
        for (const ValueId output : node.outputs) {
            outputs += (outputs.empty() ? "" : ", ") + printValue(graph, output);
        }
        std::string attributes;
        for (const auto& [name, value] : node.attributes.entries()) {
            attributes += fmt::format(" {}={}", name, toString(value));
        }
        const std::string& layer = graph.layerName(node.origin);
        text += fmt::format("{}{} = {}({}){}  # {}{}{}\n", indent, outputs, node.op->name, inputs,
                            attributes, nameOf(node.pass), layer.empty() ? "" : " of ", layer);
        if (node.body) {
            printInto(*node.body, text, indent + "    ");
        }
    }
    for (const Result& result : graph.results) {
        text += fmt::format("{}result {}: %{}\n", indent, result.name, result.value.value);
    }
}

} // namespace

std::string print(const Graph& graph) {
    std::string text = fmt::format("graph {}\n", graph.name);
    printInto(graph, text, "  ");
    return text;
}

} // namespace weft
