// SPDX-License-Identifier: Apache-2.0
#include "transform/differentiate.h"

#include "transform/repeat_gradient.h"
#include <weft/error.h>

#include <algorithm>
#include <map>
#include <ranges>

namespace weft {

namespace {

class Differentiation {
public:
    Differentiation(Graph& graph, const OpList& ops) : graph_(graph), builder_(graph, ops) {}

    void run(ValueId loss) {
        for (const Slot& slot : graph_.slots) {
            const bool isGiven =
                std::ranges::any_of(graph_.updates, [&](const LayerUpdate& update) {
                    return graph_.at(update.slot).value == slot.value;
                });
            if (slot.kind == SlotKind::parameter && !slot.frozen && !isGiven) {
                given_.push_back(slot.value);
            }
        }
        findWanted();
        if (!wanted_[loss.value]) {
            return;
        }
        const std::size_t forwardNodes = graph_.nodes.size();
        first_.resize(graph_.values.size());
        graph_.gradients.resize(graph_.values.size());
        builder_.setPass(Pass::backward);
        builder_.setOrigin(graph_.at(graph_.at(loss).producer).origin);
        contribute(loss, builder_.argument("loss_scale", graph_.at(loss).dtype));
        sweep(forwardNodes);
        for (const Slot& slot : graph_.slots) {
            if (wanted_[slot.value.value]) {
                builder_.setOrigin(slot.origin);
                total(slot.value);
            }
        }
    }

    /// Differentiates a body. `seeds`: gradients of values that it computes. Returns gradients of
    /// the given values, none where no gradient arrives.
    std::vector<ValueId> run(const std::vector<std::pair<ValueId, ValueId>>& seeds,
                             std::vector<ValueId> given) {
        given_ = std::move(given);
        findWanted();
        const std::size_t forwardNodes = graph_.nodes.size();
        first_.resize(graph_.values.size());
        graph_.gradients.resize(graph_.values.size());
        builder_.setPass(Pass::backward);
        for (const auto& [value, seed] : seeds) {
            contribute(value, seed);
        }
        sweep(forwardNodes);
        std::vector<ValueId> totals;
        totals.reserve(given_.size());
        for (const ValueId value : given_) {
            totals.push_back(total(value));
        }
        return totals;
    }

private:
    /// Marks the values that depend on one of the given values.
    void findWanted() {
        wanted_.assign(graph_.values.size(), false);
        for (const ValueId value : given_) {
            wanted_[value.value] = true;
        }
        for (const Node& node : graph_.nodes) {
            const bool moves =
                !node.op->stopsGradient && std::ranges::any_of(node.inputs, [&](ValueId input) {
                    return wanted_[input.value];
                });
            for (const ValueId output : node.outputs) {
                wanted_[output.value] = moves && isFloating(graph_.at(output).dtype);
            }
        }
    }

    void sweep(std::size_t forwardNodes) {
        for (std::size_t n = forwardNodes; n-- > 0;) {
            const NodeId node{static_cast<std::uint32_t>(n)};
            if (graph_.at(node).pass == Pass::forward) {
                visit(node);
            }
        }
    }

    void contribute(ValueId value, ValueId part) {
        ValueId& first = first_[value.value];
        if (first.isNone()) {
            first = part;
        } else {
            more_[value].push_back(part);
        }
    }

    /// Returns the sum of all contributions, or none if no gradient reaches the value.
    ValueId total(ValueId value) {
        ValueId& sum = first_[value.value];
        if (sum.isNone()) {
            return {};
        }
        if (const auto more = more_.find(value); more != more_.end()) {
            std::vector<ValueId> parts{sum};
            parts.insert(parts.end(), more->second.begin(), more->second.end());
            more_.erase(more);
            sum = builder_.add("add", std::move(parts));
        }
        graph_.gradients[value.value] = sum;
        if (graph_.at(sum).name.empty()) {
            builder_.name(sum, "d " + graph_.at(value).name);
        }
        return sum;
    }

    void visit(NodeId id) {
        // A copy, since the graph grows below.
        const std::vector<ValueId> inputs = graph_.at(id).inputs;
        const std::vector<ValueId> outputs = graph_.at(id).outputs;
        builder_.setOrigin(graph_.at(id).origin);
        builder_.setRole(graph_.at(id).role);
        std::vector<ValueId> dy;
        bool reached = false;
        for (const ValueId output : outputs) {
            dy.push_back(total(output));
            reached = reached || !dy.back().isNone();
        }
        std::vector<bool> wants;
        wants.reserve(inputs.size());
        for (const ValueId input : inputs) {
            wants.push_back(wanted_[input.value]);
        }
        // (The body of a repeat needs gradients of all carried values, also of a step size.)
        const bool isStopped = graph_.at(id).op->stopsGradient;
        if (!reached || isStopped || std::ranges::none_of(wants, std::identity{})) {
            return;
        }
        const std::vector<ValueId> dx = graph_.at(id).body ? repeatGradient(builder_, id, dy, wants)
                                                           : gradientOf(id, dy, wants);
        for (std::size_t k = 0; k < inputs.size(); ++k) {
            if (wants[k] && !dx[k].isNone()) {
                contribute(inputs[k], dx[k]);
            }
        }
    }

    std::vector<ValueId> gradientOf(NodeId id, const std::vector<ValueId>& dy,
                                    const std::vector<bool>& wants) {
        const Op& op = *graph_.at(id).op;
        if (!op.gradient) {
            throw Error(
                ErrorCode::design,
                Where{.layer = graph_.layerName(graph_.at(id).origin), .op = op.name},
                "a parameter before this layer is to be trained, but no gradient flows through it",
                "freeze the layers before it, or connect the loss to another layer");
        }
        Gradient gradient(builder_, id, dy, wants);
        op.gradient(gradient);
        return gradient.results();
    }

    Graph& graph_;
    Builder builder_;
    std::vector<ValueId> given_;
    std::vector<bool> wanted_;
    std::vector<ValueId> first_;                   ///< first contribution by value
    std::map<ValueId, std::vector<ValueId>> more_; ///< further contributions
};

} // namespace

std::vector<ValueId> differentiateBody(Graph& body, const OpList& ops,
                                       const std::vector<std::pair<ValueId, ValueId>>& seeds,
                                       std::vector<ValueId> given) {
    return Differentiation(body, ops).run(seeds, std::move(given));
}

void differentiate(Graph& graph, const OpList& ops, ValueId loss) {
    Differentiation(graph, ops).run(loss);
}

} // namespace weft
