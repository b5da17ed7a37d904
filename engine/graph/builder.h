// SPDX-License-Identifier: Apache-2.0
#pragma once
// Adds nodes to a graph by op name and infers their shapes. The builder's origin, pass and role are
// stamped on every node. Shape rules report faults through `takeRefusals()`, and the results then
// have no shape: ops that read such values are added unchecked, so that one error gives one
// message.

#include "graph/graph.h"
#include "graph/op.h"

#include <functional>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace weft {

struct ShapeRefusal {
    std::string op; ///< the op's name
    std::string reason;
    std::size_t input = 0;            ///< index of the operand that does not fit
    std::string insert;               ///< kind of layer to insert before it: "flatten"; empty: none
    ValueId value = {};               ///< the operand, if its type does not fit
    std::optional<DType> wanted = {}; ///< a type that would fit
};

class Builder {
public:
    Builder(Graph& graph, const OpList& ops) : graph_(graph), ops_(ops) {}

    /// Adds the op and returns all of its results.
    std::vector<ValueId> addAll(std::string_view op, std::vector<ValueId> inputs,
                                Attributes attributes = {});
    /// Adds the op and returns its first result.
    ValueId add(std::string_view op, std::vector<ValueId> inputs, Attributes attributes = {});

    ValueId addFeed(std::string name, FeedKind kind, DType dtype, Shape shape);
    /// Returns the scalar argument of that name ("learning_rate", "step") and creates it if
    /// necessary.
    ValueId argument(std::string_view name, DType dtype);
    /// Returns the slot of that name and creates it if necessary. Weights that layers share by name
    /// are one slot.
    SlotId addSlot(Slot slot);
    /// Like Graph::slotNamed, but fast however many slots there are.
    [[nodiscard]] SlotId slotNamed(const std::string& name);
    [[nodiscard]] ValueId valueOf(SlotId slot) const { return graph_.at(slot).value; }
    void write(SlotId slot, ValueId next); ///< `next` is stored in the slot at the end of the step
    void addResult(std::string name, ResultKind kind, ValueId value);
    void name(ValueId value, std::string name) { graph_.at(value).name = std::move(name); }
    /// Sets which letter each of these assignments splits at the node that computes this value.
    /// Needed where the reserved letters do not determine it.
    void setLetters(ValueId value, std::vector<AssignmentLetter> letters);

    void setOrigin(Origin origin) { origin_ = origin; }
    void setPass(Pass pass) { pass_ = pass; }
    void setRole(std::string role) { role_ = std::move(role); }
    [[nodiscard]] Pass pass() const { return pass_; }
    [[nodiscard]] const std::string& role() const { return role_; }
    [[nodiscard]] Origin origin() const { return origin_; }

    [[nodiscard]] Graph& graph() { return graph_; }
    [[nodiscard]] const OpList& ops() const { return ops_; }
    [[nodiscard]] const Shape& shape(ValueId value) const { return graph_.at(value).shape; }
    [[nodiscard]] DType dtype(ValueId value) const { return graph_.at(value).dtype; }
    /// True if the shape of this value could not be inferred.
    [[nodiscard]] bool hasNoShape(ValueId value) const {
        return valuesWithoutShape_.contains(value);
    }
    /// Returns and clears the refusals since the last call.
    [[nodiscard]] std::vector<ShapeRefusal> takeRefusals();

private:
    bool refuseType(const Op& op, const std::vector<ValueId>& inputs, const Signature& signature);
    /// Refuses a shape with more elements than any machine can store, and discards the shape.
    void refuseIfHuge(std::string_view what, ValueId value);

    Graph& graph_;
    const OpList& ops_;
    Origin origin_ = {};
    Pass pass_ = Pass::forward;
    std::string role_ = {};
    std::map<ValueId, bool> valuesWithoutShape_ = {};
    std::vector<ShapeRefusal> refusals_ = {};
    std::unordered_multimap<std::size_t, SlotId> slotsByHash_ = {}; ///< by the hash of their name
};

/// The interface of an op's gradient rule: the node, the gradients of its results as far as they
/// exist, and which inputs need a gradient.
class Gradient {
public:
    Gradient(Builder& builder, NodeId node, std::vector<ValueId> dy, std::vector<bool> wanted)
        : builder_(builder),
          node_(node),
          dy_(std::move(dy)),
          wanted_(std::move(wanted)),
          dx_(wanted_.size()) {}

    [[nodiscard]] ValueId input(std::size_t k) const {
        return builder_.graph().at(node_).inputs[k];
    }
    [[nodiscard]] ValueId output(std::size_t k = 0) const {
        return builder_.graph().at(node_).outputs[k];
    }
    /// Returns the gradient of result `k`; none if no gradient reaches it.
    [[nodiscard]] ValueId dy(std::size_t k = 0) const { return dy_[k]; }
    [[nodiscard]] bool needsGradient(std::size_t k) const { return wanted_[k]; }
    [[nodiscard]] const Attributes& attributes() const {
        return builder_.graph().at(node_).attributes;
    }
    [[nodiscard]] const Shape& inputShape(std::size_t k) const { return builder_.shape(input(k)); }
    [[nodiscard]] DType inputType(std::size_t k) const { return builder_.dtype(input(k)); }
    [[nodiscard]] const Shape& shape(ValueId value) const { return builder_.shape(value); }
    ValueId add(std::string_view op, std::vector<ValueId> inputs, Attributes attributes = {}) {
        return builder_.add(op, std::move(inputs), std::move(attributes));
    }
    std::vector<ValueId> addAll(std::string_view op, std::vector<ValueId> inputs,
                                Attributes attributes = {}) {
        return builder_.addAll(op, std::move(inputs), std::move(attributes));
    }
    void set(std::size_t k, ValueId dx) { dx_[k] = dx; } ///< operand k's gradient
    [[nodiscard]] const std::vector<ValueId>& results() const { return dx_; } ///< per operand

private:
    Builder& builder_;
    NodeId node_;
    std::vector<ValueId> dy_;  ///< per result
    std::vector<bool> wanted_; ///< per operand
    std::vector<ValueId> dx_;  ///< per operand
};

/// The interface of an op's expansion, which computes the same results by smaller ops so that
/// `letter()` can be split. An expansion that cannot split that letter sets nothing.
class Expansion {
public:
    Expansion(Builder& builder, const Node& node, std::string letter)
        : builder_(builder),
          node_(node),
          letter_(std::move(letter)),
          results_(node.outputs.size()) {}

    [[nodiscard]] ValueId input(std::size_t k) const { return node_.inputs[k]; }
    [[nodiscard]] const Attributes& attributes() const { return node_.attributes; }
    [[nodiscard]] const Shape& inputShape(std::size_t k) const { return builder_.shape(input(k)); }
    [[nodiscard]] const std::string& letter() const { return letter_; } ///< to split
    ValueId add(std::string_view op, std::vector<ValueId> inputs, Attributes attributes = {}) {
        return builder_.add(op, std::move(inputs), std::move(attributes));
    }
    void set(std::size_t k, ValueId value) { results_[k] = value; }
    [[nodiscard]] const std::vector<ValueId>& results() const { return results_; }

private:
    Builder& builder_;
    const Node& node_;
    std::string letter_;
    std::vector<ValueId> results_;
};

} // namespace weft
