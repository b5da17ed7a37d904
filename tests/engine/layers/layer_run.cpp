// SPDX-License-Identifier: Apache-2.0
#include "engine/layers/layer_run.h"

#include <weft/error.h>

#include <algorithm>

namespace weft::test {

namespace {

LayerSample sampleOf(const Attributes& attributes, const std::vector<Tensor>& inputs) {
    LayerSample sample;
    sample.attributes = attributes;
    for (const Tensor& input : inputs) {
        sample.inputs.push_back(input.shape);
        sample.dtypes.push_back(input.dtype);
    }
    return sample;
}

} // namespace

LayerRun::LayerRun(const std::string& kind, const Attributes& attributes,
                   const std::vector<Tensor>& inputs, Mode mode)
    : alone_(
          lowerings_.lower(*lowerings_.layers().find(kind), sampleOf(attributes, inputs), mode)) {
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        given_[alone_.graph.feeds[k].value] = inputs[k];
    }
}

const Slot& LayerRun::slot(const std::string& name) const {
    const auto found = std::ranges::find(alone_.graph.slots, "it." + name, &Slot::name);
    ensure(found != alone_.graph.slots.end(), "a test asks for a slot that the layer has");
    return *found;
}

void LayerRun::give(const std::string& name, const std::vector<double>& numbers) {
    given_[slot(name).value] = tensor(slot(name).shape, numbers);
}

Tensor LayerRun::value(ValueId id) {
    if (values_.empty()) {
        Oracle oracle;
        values_ = evaluate(alone_.graph, oracle, given_);
    }
    return values_.at(id);
}

Tensor LayerRun::output(const std::string& port) {
    const auto found = std::ranges::find_if(
        alone_.outputs, [&](const auto& output) { return output.first == port; });
    ensure(found != alone_.outputs.end(), "a test asks for a port that the layer has");
    return value(found->second);
}

Tensor LayerRun::next(const std::string& name) { return value(slot(name).next); }

Tensor LayerRun::held(const std::string& name) { return value(slot(name).value); }

Tensor LayerRun::result(ResultKind kind) {
    const auto found = std::ranges::find(alone_.graph.results, kind, &Result::kind);
    ensure(found != alone_.graph.results.end(), "a test asks for a result that the layer has");
    return value(found->value);
}

Tensor tensor(const Shape& shape, const std::vector<double>& numbers) {
    return {DType::f64, shape, numbers};
}

Tensor drawn(const Shape& shape, const std::string& role) {
    return drawNormal(DType::f64, shape, 1, role);
}

} // namespace weft::test
