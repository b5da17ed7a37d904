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
    Differentiation(Graph& graph, const OpList& ops, GraphTaking* taking = nullptr,
                    const GradientParts* last = nullptr)
        : graph_(graph), ops_(ops), builder_(graph, ops), taking_(taking), last_(last) {}

    void run(ValueId loss) {
        for (const Slot& slot : graph_.slots) {
            if (slot.kind == SlotKind::parameter && !slot.frozen) {
                given_.push_back(slot.value);
            }
        }
        findWanted();
        if (!wanted_[loss.value]) {
            return;
        }
        const std::size_t forwardNodes = graph_.nodes.size();
        parts_.nodes.resize(forwardNodes);
        first_.resize(graph_.values.size());
        graph_.gradients.resize(graph_.values.size());
        builder_.setPass(Pass::backward);
        builder_.setOrigin(graph_.at(graph_.at(loss).producer).origin);
        contribute(loss, builder_.argument("loss_scale", graph_.at(loss).dtype));
        if (taking_ != nullptr) {
            taking_->pairFeed("loss_scale");
        }
        sweep(forwardNodes);
        for (const Slot& slot : graph_.slots) {
            if (wanted_[slot.value.value]) {
                builder_.setOrigin(slot.origin);
                total(slot.value);
            }
        }
        forgetNames();
    }

    [[nodiscard]] GradientParts takeParts() { return std::move(parts_); }

    /// Of a body: `seeds` are gradients of values that it makes. Gives those of the values given,
    /// none where none reaches one.
    std::vector<ValueId> run(const std::vector<std::pair<ValueId, ValueId>>& seeds,
                             std::vector<ValueId> given) {
        given_ = std::move(given);
        findWanted();
        const std::size_t forwardNodes = graph_.nodes.size();
        parts_.nodes.resize(forwardNodes);
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
    /// A value is wanted when one of those given can move it.
    void findWanted() {
        wanted_.assign(graph_.values.size(), false);
        for (const ValueId value : given_) {
            wanted_[value.value] = true;
        }
        for (const Node& node : graph_.nodes) {
            const bool moves = std::ranges::any_of(
                node.inputs, [&](ValueId input) { return wanted_[input.value]; });
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

    /// The sum of all contributions; none when no gradient reaches the value.
    ValueId total(ValueId value) {
        ValueId& sum = first_[value.value];
        if (sum.isNone()) {
            return {};
        }
        if (const auto more = more_.find(value); more != more_.end()) {
            std::vector<ValueId> parts{sum};
            parts.insert(parts.end(), more->second.begin(), more->second.end());
            more_.erase(more);
            sum = takeSum(value, parts);
            sum = sum.isNone() ? builder_.add("add", parts) : sum;
            first_[value.value] = sum;
        }
        graph_.gradients[value.value] = sum;
        name(sum, value);
        pairWithLast(sum, value);
        return sum;
    }

    /// A gradient that is made anew may be, to whoever reads it, what the last graph had.
    void pairWithLast(ValueId gradient, ValueId value) {
        const ValueId then = taking_ == nullptr ? ValueId{} : taking_->then(value);
        if (then.isNone() || !taking_->then(gradient).isNone()) {
            return;
        }
        const ValueId was = taking_->last().gradientOf(then);
        if (!was.isNone()) {
            taking_->pair(was, gradient);
        }
    }

    /// The first value whose gradient it is names it. One that was taken over has a name, which may
    /// not be that of a gradient any more.
    void name(ValueId gradient, ValueId value) {
        const bool isOpen = gradient.value < isOpen_.size() && isOpen_[gradient.value];
        std::string& name = graph_.at(gradient).name;
        if (!name.empty() && !isOpen) {
            return;
        }
        const std::string& of = graph_.at(value).name;
        constexpr std::string_view prefix = "d ";
        const bool isSame = name.size() == prefix.size() + of.size() && name.starts_with(prefix) &&
                            name.ends_with(of);
        if (!isSame) {
            name.assign(prefix).append(of);
            if (isOpen) {
                taking_->forget(gradient);
            }
        }
        if (isOpen) {
            isOpen_[gradient.value] = false;
        }
    }

    void forgetNames() {
        for (std::uint32_t v = 0; v < isOpen_.size(); ++v) {
            if (isOpen_[v] && !graph_.values[v].name.empty()) {
                graph_.values[v].name.clear();
                taking_->forget({v});
            }
        }
    }

    /// Moves a part of the last graph here; what it made has no name that is certain.
    void take(const GraphTaking::Mark& from, const GraphTaking::Mark& to) {
        const std::size_t first = graph_.values.size();
        taking_->take(from, to);
        isOpen_.resize(first, false);
        isOpen_.resize(graph_.values.size(), true);
    }

    /// The sum as it was, if it was of the same parts; none: it was another.
    ValueId takeSum(ValueId value, const std::vector<ValueId>& parts) {
        const ValueId then = taking_ == nullptr ? ValueId{} : taking_->then(value);
        if (then.isNone()) {
            return {};
        }
        Graph& last = taking_->last();
        const ValueId sum = last.gradientOf(then);
        if (sum.isNone() || last.at(sum).producer.isNone() || !taking_->now(sum).isNone()) {
            return {};
        }
        const NodeId node = last.at(sum).producer;
        const bool isSame =
            last.at(node).op == &ops_.at("add") && last.at(node).origin == builder_.origin() &&
            last.at(node).role == builder_.role() &&
            std::ranges::equal(parts, last.at(node).inputs, [&](ValueId now, ValueId before) {
                return taking_->isSame(now, before);
            });
        if (!isSame) {
            return {};
        }
        take({.values = sum.value, .nodes = node.value},
             {.values = sum.value + 1, .nodes = node.value + 1});
        return taking_->now(sum);
    }

    void visit(NodeId id) {
        // Copies: the graph grows below.
        inputs_ = graph_.at(id).inputs;
        outputs_ = graph_.at(id).outputs;
        builder_.setOrigin(graph_.at(id).origin);
        builder_.setRole(graph_.at(id).role);
        dy_.clear();
        bool reached = false;
        for (const ValueId output : outputs_) {
            dy_.push_back(total(output));
            reached = reached || !dy_.back().isNone();
        }
        wants_.clear();
        for (const ValueId input : inputs_) {
            wants_.push_back(wanted_[input.value]);
        }
        if (!reached || std::ranges::none_of(wants_, std::identity{})) {
            return;
        }
        if (graph_.at(id).body) {
            const Node node = graph_.at(id);
            visitRepeat(id, node, dy_, wants_);
            return;
        }
        const GraphTaking::Mark from = GraphTaking::markOf(graph_);
        if (!takeOver(id)) {
            makeGradient(id);
        }
        record(id, from);
        for (std::size_t k = 0; k < inputs_.size(); ++k) {
            if (wants_[k] && !dx_[k].isNone()) {
                contribute(inputs_[k], dx_[k]);
            }
        }
    }

    void makeGradient(NodeId id) {
        const Op& op = *graph_.at(id).op;
        if (!op.gradient) {
            throw Error(
                ErrorCode::design,
                Where{.layer = graph_.layerName(graph_.at(id).origin), .op = op.name},
                "a parameter before this layer is to be trained, but no gradient flows through it",
                "freeze the layers before it, or take the loss elsewhere");
        }
        Gradient gradient(builder_, id, dy_, wants_);
        op.gradient(gradient);
        dx_ = gradient.results();
    }

    [[nodiscard]] std::uint64_t wantsOf() const {
        std::uint64_t wants = 0;
        for (std::size_t k = 0; k < wants_.size(); ++k) {
            wants |= (wants_[k] ? std::uint64_t{1} : 0) << k;
        }
        return wants;
    }

    /// How many operands a record tells apart.
    static constexpr std::size_t mostWants = 64;

    void record(NodeId id, const GraphTaking::Mark& from) {
        if (wants_.size() > mostWants) {
            return;
        }
        GradientParts::Part& part = parts_.nodes[id.value];
        part = {from, GraphTaking::markOf(graph_), wantsOf(), parts_.values.size()};
        parts_.values.insert(parts_.values.end(), dy_.begin(), dy_.end());
        parts_.values.insert(parts_.values.end(), dx_.begin(), dx_.end());
    }

    /// The node's gradient as it was, if it was of the same gradients of its results.
    bool takeOver(NodeId id) {
        const NodeId then = taking_ == nullptr ? NodeId{} : taking_->then(id);
        if (then.isNone() || then.value >= last_->nodes.size() || wants_.size() > mostWants) {
            return false;
        }
        const GradientParts::Part& part = last_->nodes[then.value];
        if (part.values == GradientParts::Part::none || part.wants != wantsOf()) {
            return false;
        }
        const auto dy = last_->values.begin() + static_cast<std::ptrdiff_t>(part.values);
        const auto dx = dy + static_cast<std::ptrdiff_t>(dy_.size());
        if (!std::equal(
                dy_.begin(), dy_.end(), dy,
                [&](ValueId now, ValueId before) { return taking_->isSame(now, before); }) ||
            !taking_->canTake(part.from, part.to)) {
            return false;
        }
        take(part.from, part.to);
        dx_.clear();
        for (std::size_t k = 0; k < inputs_.size(); ++k) {
            dx_.push_back(dx[static_cast<std::ptrdiff_t>(k)].isNone()
                              ? ValueId{}
                              : taking_->now(dx[static_cast<std::ptrdiff_t>(k)]));
        }
        return true;
    }

    void visitRepeat(NodeId id, const Node& node, const std::vector<ValueId>& dy,
                     const std::vector<bool>& wants) {
        const std::vector<ValueId> dx = repeatGradient(builder_, id, dy, wants);
        for (std::size_t k = 0; k < node.inputs.size(); ++k) {
            if (!dx[k].isNone()) {
                contribute(node.inputs[k], dx[k]);
            }
        }
    }

    Graph& graph_;
    const OpList& ops_;
    Builder builder_;
    GraphTaking* taking_;
    const GradientParts* last_;
    GradientParts parts_;
    std::vector<bool> isOpen_; ///< by value: taken over, and not named again
    std::vector<ValueId> given_;
    std::vector<bool> wanted_;
    std::vector<ValueId> first_;                   ///< by value: its first contribution
    std::map<ValueId, std::vector<ValueId>> more_; ///< further ones
    // Of the node that is visited; kept for their memory.
    std::vector<ValueId> inputs_;
    std::vector<ValueId> outputs_;
    std::vector<ValueId> dy_;
    std::vector<ValueId> dx_;
    std::vector<bool> wants_;
};

} // namespace

std::vector<ValueId> differentiateBody(Graph& body, const OpList& ops,
                                       const std::vector<std::pair<ValueId, ValueId>>& seeds,
                                       std::vector<ValueId> given) {
    return Differentiation(body, ops).run(seeds, std::move(given));
}

GradientParts differentiate(Graph& graph, const OpList& ops, ValueId loss, GraphTaking* taking,
                            const GradientParts& last) {
    Differentiation differentiation(graph, ops, taking, &last);
    differentiation.run(loss);
    return differentiation.takeParts();
}

} // namespace weft
