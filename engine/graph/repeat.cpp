// SPDX-License-Identifier: Apache-2.0
#include "graph/repeat.h"

#include <weft/error.h>

#include <algorithm>

namespace weft {

namespace {

std::int64_t asInteger(std::size_t count) { return static_cast<std::int64_t>(count); }

TensorType typeOf(const Graph& graph, ValueId id) {
    return {graph.at(id).dtype, graph.at(id).shape};
}

TensorType perRound(TensorType type, std::int64_t count) {
    type.shape.insert(type.shape.begin(), count);
    return type;
}

} // namespace

RepeatForm repeatForm(const Node& node) {
    const auto number = [&](std::string_view name) {
        return static_cast<std::size_t>(node.attributes.integer(name));
    };
    return {.count = node.attributes.integer("count"),
            .carried = number("carried"),
            .sliced = number("sliced"),
            .summed = number("summed"),
            .collected = number("collected"),
            .isReversed = node.attributes.boolean("reversed")};
}

Attributes attributesOf(const RepeatForm& form) {
    return {{"count", form.count},
            {"carried", asInteger(form.carried)},
            {"sliced", asInteger(form.sliced)},
            {"summed", asInteger(form.summed)},
            {"collected", asInteger(form.collected)},
            {"reversed", form.isReversed}};
}

ValueId addBodyInput(Graph& body, DType dtype, Shape shape, std::string name) {
    const ValueId value{static_cast<std::uint32_t>(body.values.size())};
    body.values.push_back({dtype, std::move(shape), {}, 0, std::move(name)});
    body.bodyInputs.push_back(value);
    return value;
}

void setBodyOutputs(Builder& body, std::vector<ValueId> outputs, std::size_t carried) {
    for (std::size_t k = 0; k < carried; ++k) {
        const bool isOwn = !body.graph().at(outputs[k]).producer.isNone() &&
                           std::ranges::count(outputs, outputs[k]) == 1;
        if (!isOwn) {
            outputs[k] = body.add("scale", {outputs[k]}, {{"factor", 1.0}});
        }
    }
    body.graph().bodyOutputs = std::move(outputs);
}

TensorType repeatInputType(const Graph& body, const RepeatForm& form, std::size_t k) {
    const TensorType type = typeOf(body, body.bodyInputs[k]);
    const bool isSliced = k >= form.carried && k < form.carried + form.sliced;
    return isSliced ? perRound(type, form.count) : type;
}

TensorType repeatOutputType(const Graph& body, const RepeatForm& form, std::size_t k) {
    const TensorType type = typeOf(body, body.bodyOutputs[k]);
    return k >= form.carried + form.summed ? perRound(type, form.count) : type;
}

std::vector<ValueId> addRepeat(Builder& builder, std::shared_ptr<const Graph> body,
                               std::vector<ValueId> inputs, const RepeatForm& form) {
    Graph& graph = builder.graph();
    const NodeId id{static_cast<std::uint32_t>(graph.nodes.size())};
    Node node{.op = &builder.ops().at("repeat"),
              .inputs = std::move(inputs),
              .outputs = {},
              .attributes = attributesOf(form),
              .origin = builder.origin(),
              .pass = builder.pass(),
              .role = builder.role(),
              .letters = {},
              .body = std::move(body)};
    for (std::uint32_t k = 0; k < node.body->bodyOutputs.size(); ++k) {
        const TensorType type = repeatOutputType(*node.body, form, k);
        node.outputs.push_back({static_cast<std::uint32_t>(graph.values.size())});
        graph.values.push_back({type.dtype, type.shape, id, k, {}});
    }
    graph.nodes.push_back(std::move(node));
    verifyRepeat(graph, graph.nodes.back());
    return graph.nodes.back().outputs;
}

void verifyRepeat(const Graph& graph, const Node& node) {
    const Graph& body = *node.body;
    const RepeatForm form = repeatForm(node);
    ensure(form.count > 0, "a repeat has at least one iteration");
    ensure(body.slots.empty() && body.feeds.empty() && body.results.empty(),
           "a body has no slots, feeds or results");
    ensure(node.inputs.size() == body.bodyInputs.size() &&
               form.carried + form.sliced <= node.inputs.size(),
           "a repeat has as many operands as its body has inputs");
    ensure(node.outputs.size() == body.bodyOutputs.size() &&
               form.carried + form.summed + form.collected == node.outputs.size(),
           "a repeat has as many results as its body has outputs");
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
        ensure(typeOf(graph, node.inputs[k]) == repeatInputType(body, form, k),
               "an operand of a repeat has the type that its body expects");
    }
    for (std::size_t k = 0; k < node.outputs.size(); ++k) {
        ensure(typeOf(graph, node.outputs[k]) == repeatOutputType(body, form, k),
               "a result of a repeat has the type that its body produces");
    }
    for (std::size_t k = 0; k < form.carried; ++k) {
        ensure(typeOf(body, body.bodyInputs[k]) == typeOf(body, body.bodyOutputs[k]),
               "a loop-carried value keeps its type over an iteration");
        ensure(!body.at(body.bodyOutputs[k]).producer.isNone() &&
                   std::ranges::count(body.bodyOutputs, body.bodyOutputs[k]) == 1,
               "a loop-carried value is computed in each iteration and carried once");
    }
}

} // namespace weft
