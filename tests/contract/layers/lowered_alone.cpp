// SPDX-License-Identifier: Apache-2.0
#include "contract/layers/lowered_alone.h"

#include "example/example.h"
#include "layers/layers.h"
#include "ops/ops.h"
#include <weft/error.h>

namespace weft::test {

namespace {

std::string portOf(const LayerKindInfo& info, std::size_t input) {
    return info.inputs.front().variadic ? info.inputs.front().name + std::to_string(input)
                                        : info.inputs[input].name;
}

bool isForward(const Graph& graph, ValueId value) {
    const NodeId producer = graph.at(value).producer;
    return producer.isNone() || graph.at(producer).pass == Pass::forward;
}

ValueId sumOf(Builder& builder, const Alone& alone) {
    std::vector<ValueId> terms;
    for (const auto& [port, value] : alone.outputs) {
        if (isForward(builder.graph(), value) && isFloating(builder.dtype(value))) {
            terms.push_back(builder.add("sum_all", {value}));
        }
    }
    if (terms.empty()) {
        return {};
    }
    return terms.size() == 1 ? terms.front() : builder.add("add", terms);
}

} // namespace

Lowerings::Lowerings() {
    ops::fill(ops_);
    layers::fill(layers_);
    example::layers::fill(layers_);
}

Alone Lowerings::lower(const LayerKind& kind, const LayerSample& sample, Mode mode) const {
    Alone alone;
    alone.graph.name = kind.info.kind;
    Builder builder(alone.graph, ops_);
    Lowering::Request request{.origin = {LayerId{1}, 0},
                              .name = "it",
                              .attributes = completed(sample.attributes, kind.info.attributes),
                              .inputs = {},
                              .mode = mode,
                              .batch = 3};
    builder.setOrigin(request.origin);
    for (std::size_t k = 0; k < sample.inputs.size(); ++k) {
        const DType dtype = sample.dtypes.empty() ? DType::f32 : sample.dtypes[k];
        const std::string port = portOf(kind.info, k);
        const ValueId feed = builder.addFeed(port, FeedKind::data, dtype, sample.inputs[k]);
        const bool isRaised = sample.positive && isFloating(dtype);
        request.inputs.emplace_back(port, isRaised ? builder.add("exp", {feed}) : feed);
    }
    alone.graph.layerNames[request.origin] = request.name;
    Lowering lowering(builder, std::move(request));
    try {
        kind.lower(lowering);
    } catch (const Error& error) {
        alone.refusals.emplace_back(error.what());
    }
    alone.outputs = lowering.outputs();
    for (const ShapeRefusal& refusal : builder.takeRefusals()) {
        alone.refusals.push_back(refusal.op + ": " + refusal.reason);
    }
    for (const Lowering::Refusal& refusal : lowering.refusals()) {
        alone.refusals.push_back(refusal.reason);
    }
    if (alone.refusals.empty()) {
        alone.loss = sumOf(builder, alone);
    }
    return alone;
}

const std::vector<Slot>& slotsOf(const Graph& graph) { return graph.slots; }

std::string slotShapes(const Graph& graph) {
    std::string text;
    for (const Slot& slot : graph.slots) {
        text += (text.empty() ? "" : " ") + slot.name + toString(slot.shape);
    }
    return text;
}

} // namespace weft::test
