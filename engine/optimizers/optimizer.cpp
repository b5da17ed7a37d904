// SPDX-License-Identifier: Apache-2.0
#include "optimizers/optimizer.h"

#include <weft/error.h>

#include <algorithm>

namespace weft {

ValueId ParameterUpdate::learningRate() const {
    return builder_.argument("learning_rate", DType::f32);
}

ValueId ParameterUpdate::updateNumber() const {
    return builder_.argument(request_.counter, DType::i64);
}

ValueId ParameterUpdate::state(const std::string& name) const {
    return optimizerState(builder_, request_.parameter, name);
}

Attributes ParameterUpdate::scaledAttributes() const {
    const Slot& parameter = builder_.graph().at(request_.parameter);
    Attributes scaled;
    if (attributes().has("weight_decay")) {
        scaled.set("weight_decay", attributes().real("weight_decay") * parameter.decayScale);
    }
    scaled.set("rate_scale", parameter.learningRateScale);
    return scaled;
}

void ParameterUpdate::setState(const std::string& name, ValueId next) {
    writeOptimizerState(builder_, request_.parameter, name, next);
}

void OptimizerList::add(Optimizer optimizer) {
    ensure(find(optimizer.info.name) == nullptr, "optimizers have unique names");
    all_.push_back(std::move(optimizer));
}

const Optimizer* OptimizerList::find(std::string_view name) const {
    const auto found = std::ranges::find_if(
        all_, [&](const Optimizer& optimizer) { return optimizer.info.name == name; });
    return found == all_.end() ? nullptr : &*found;
}

ValueId optimizerState(Builder& builder, SlotId parameter, const std::string& name) {
    const Slot& of = builder.graph().at(parameter);
    return builder.valueOf(builder.addSlot({.name = of.name + "/" + name,
                                            .kind = SlotKind::optimizerState,
                                            .dtype = of.dtype,
                                            .shape = of.shape,
                                            .initialiser = {},
                                            .origin = {},
                                            .value = {},
                                            .of = parameter,
                                            .isPerElement = of.isPerElement}));
}

void writeOptimizerState(Builder& builder, SlotId parameter, const std::string& name,
                         ValueId next) {
    const SlotId state = builder.slotNamed(builder.graph().at(parameter).name + "/" + name);
    ensure(!state.isNone(), "an optimizer reads a state before it sets it");
    builder.write(state, next);
}

AttributeSpec decayRate(std::string name, double defaultValue, std::string help) {
    return {.name = std::move(name),
            .defaultValue = defaultValue,
            .help = std::move(help),
            .least = 0,
            .below = 1};
}

AttributeSpec denominatorEpsilon() {
    return {.name = "epsilon",
            .defaultValue = 1e-8,
            .help = "Added to the denominator for numerical stability.",
            .most = 1,
            .above = 0};
}

AttributeSpec weightDecay(double defaultValue, std::string help) {
    return {.name = "weight_decay",
            .defaultValue = defaultValue,
            .help = std::move(help),
            .least = 0,
            .most = 1};
}

AttributeSpec coupledWeightDecay() {
    return weightDecay(0.0, "L2 penalty: weight_decay times the weight is added to the gradient.");
}

} // namespace weft
