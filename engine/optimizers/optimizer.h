// SPDX-License-Identifier: Apache-2.0
#pragma once
// What an optimizer must declare: its name, help and attributes, and how the update of one
// parameter lowers to ops. One file per optimizer; the list is const after start.

#include "graph/builder.h"
#include <weft/settings.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// The update of one parameter, given to an optimizer. It offers the weight, the gradient, the
/// learning rate and the optimizer's state, and takes the next weight and the next state.
class ParameterUpdate {
public:
    struct UpdateRequest {
        SlotId parameter;
        ValueId gradient;
        const Attributes& attributes; ///< the optimizer's, with all defaults
        std::string counter;          ///< name of the argument that numbers the updates
    };

    ParameterUpdate(Builder& builder, UpdateRequest request)
        : builder_(builder), request_(std::move(request)) {}

    [[nodiscard]] ValueId weight() const { return builder_.valueOf(request_.parameter); }
    [[nodiscard]] ValueId gradient() const { return request_.gradient; }
    [[nodiscard]] const Attributes& attributes() const { return request_.attributes; }
    [[nodiscard]] ValueId learningRate() const;
    /// Returns the number of this update, from 1. Requires `readsUpdateNumber`.
    [[nodiscard]] ValueId updateNumber() const;
    /// Returns a state tensor like the parameter, zero before the first update.
    [[nodiscard]] ValueId state(const std::string& name) const;
    /// Returns `weight_decay`, if the optimizer has it, and `rate_scale`, with the factors that the
    /// layer sets for this parameter. Update ops take both.
    [[nodiscard]] Attributes scaledAttributes() const;

    /// Adds an op and returns all its outputs.
    std::vector<ValueId> addAll(std::string_view op, std::vector<ValueId> inputs,
                                Attributes attributes = {}) {
        return builder_.addAll(op, std::move(inputs), std::move(attributes));
    }
    /// Adds an op and returns its output.
    ValueId add(std::string_view op, std::vector<ValueId> inputs, Attributes attributes = {}) {
        return builder_.add(op, std::move(inputs), std::move(attributes));
    }

    void setWeight(ValueId next) { builder_.write(request_.parameter, next); }
    void setState(const std::string& name, ValueId next);

private:
    Builder& builder_;
    UpdateRequest request_;
};

struct Optimizer {
    SettingKind info;                             ///< name in the design file, help, attributes
    std::function<void(ParameterUpdate&)> update; ///< adds the ops of one parameter's update
    bool readsUpdateNumber = false;         ///< true: the update depends on its number, as in Adam
    std::vector<Attributes> samples = {{}}; ///< attributes with which tests train a network
};

class OptimizerList {
public:
    void add(Optimizer optimizer);
    /// Returns nullptr for an unknown name.
    [[nodiscard]] const Optimizer* find(std::string_view name) const;
    [[nodiscard]] const std::vector<Optimizer>& all() const { return all_; }

private:
    std::vector<Optimizer> all_;
};

/// Returns the state tensor "<parameter>/<name>"; adds its slot if there is none yet.
[[nodiscard]] ValueId optimizerState(Builder& builder, SlotId parameter, const std::string& name);
/// Sets the next value of that state.
void writeOptimizerState(Builder& builder, SlotId parameter, const std::string& name, ValueId next);

/// Declares an attribute in [0, 1): a decay rate or a momentum factor.
[[nodiscard]] AttributeSpec decayRate(std::string name, double defaultValue, std::string help);
/// Declares `epsilon`, which keeps a denominator above 0.
[[nodiscard]] AttributeSpec denominatorEpsilon();
[[nodiscard]] AttributeSpec weightDecay(double defaultValue, std::string help);
/// Declares `weight_decay` as an L2 penalty, 0 by default.
[[nodiscard]] AttributeSpec coupledWeightDecay();

} // namespace weft
