// SPDX-License-Identifier: Apache-2.0
#include "transform/repeat_gradient.h"

#include "graph/repeat.h"

#include <algorithm>

namespace weft {

namespace {

class RepeatGradient {
public:
    RepeatGradient(Builder& builder, NodeId id, const std::vector<ValueId>& dy,
                   const std::vector<bool>& wanted)
        : outer_(builder),
          id_(id),
          form_(repeatForm(builder.graph().at(id))),
          dy_(dy),
          wanted_(wanted) {}

    std::vector<ValueId> run() {
        const std::vector<ValueId> histories = collectHistories();
        const Node node = outer_.graph().at(id_);
        auto body = std::make_shared<Graph>(*node.body);
        body->bodyOutputs.clear();
        const std::vector<ValueId> inside = std::exchange(body->bodyInputs, {});
        gatherOperands(*body, node, inside, histories);
        const std::vector<ValueId> gradients =
            differentiateBody(*body, outer_.ops(), seeds_, given_);
        body->gradients
            .clear(); // the results of the body have no further consumers inside the body
        return appendNode(std::move(body), node, inside, gradients);
    }

private:
    struct Operand {
        ValueId inside;
        ValueId outside;
    };

    [[nodiscard]] bool isCarried(std::size_t input) const { return input < form_.carried; }
    [[nodiscard]] bool isSliced(std::size_t input) const {
        return !isCarried(input) && input < form_.carried + form_.sliced;
    }
    /// True if the carried value has a gradient, which is carried as well.
    [[nodiscard]] bool goesRound(std::size_t carried) const {
        const Node& node = outer_.graph().at(id_);
        return isFloating(outer_.dtype(node.outputs[carried]));
    }

    /// Adds the carried inputs of every iteration to the results of the forward repeat.
    std::vector<ValueId> collectHistories() {
        Graph& graph = outer_.graph();
        auto body = std::make_shared<Graph>(*graph.at(id_).body);
        RepeatForm form = form_;
        form.collected += form.carried;
        std::vector<ValueId> histories;
        for (std::size_t k = 0; k < form.carried; ++k) {
            body->bodyOutputs.push_back(body->bodyInputs[k]);
            const auto output = static_cast<std::uint32_t>(body->bodyOutputs.size() - 1);
            const TensorType type = repeatOutputType(*body, form, output);
            histories.push_back({static_cast<std::uint32_t>(graph.values.size())});
            graph.values.push_back({type.dtype, type.shape, id_, output, {}});
        }
        Node& node = graph.at(id_);
        node.outputs.insert(node.outputs.end(), histories.begin(), histories.end());
        node.attributes = attributesOf(form);
        node.body = std::move(body);
        return histories;
    }

    ValueId addOperand(Graph& body, std::vector<Operand>& list, ValueId outside, ValueId like) {
        const Value type = body.at(like);
        const ValueId inside = addBodyInput(body, type.dtype, type.shape);
        body.bodyInputs.pop_back();
        list.push_back({inside, outside});
        return inside;
    }

    void gatherOperands(Graph& body, const Node& node, const std::vector<ValueId>& inside,
                        const std::vector<ValueId>& histories) {
        const std::vector<ValueId>& makes = node.body->bodyOutputs;
        for (std::size_t k = 0; k < form_.carried; ++k) {
            if (goesRound(k)) {
                const ValueId seed = dy_[k].isNone() ? nothing(node.outputs[k]) : dy_[k];
                seeds_.emplace_back(makes[k], addOperand(body, carried_, seed, makes[k]));
                given_.push_back(inside[k]);
            }
            sliced_.push_back({inside[k], histories[k]});
        }
        for (std::size_t k = form_.carried; k < inside.size(); ++k) {
            (isSliced(k) ? sliced_ : captured_).push_back({inside[k], node.inputs[k]});
            if (wanted_[k]) {
                given_.push_back(inside[k]);
            }
        }
        for (std::size_t k = form_.carried; k < dy_.size(); ++k) {
            if (!dy_[k].isNone()) {
                const bool isSum = k < form_.carried + form_.summed;
                seeds_.emplace_back(
                    makes[k], addOperand(body, isSum ? captured_ : sliced_, dy_[k], makes[k]));
            }
        }
    }

    ValueId nothing(ValueId like) { return outer_.add("scale", {like}, {{"factor", 0.0}}); }

    std::vector<ValueId> appendNode(std::shared_ptr<Graph> body, const Node& node,
                                    const std::vector<ValueId>& inside,
                                    const std::vector<ValueId>& gradients) {
        RepeatForm form{.count = form_.count,
                        .carried = carried_.size(),
                        .sliced = sliced_.size(),
                        .isReversed = !form_.isReversed};
        std::vector<ValueId> inputs;
        for (const auto* list : {&carried_, &sliced_, &captured_}) {
            for (const Operand& operand : *list) {
                body->bodyInputs.push_back(operand.inside);
                inputs.push_back(operand.outside);
            }
        }
        Builder builder(*body, outer_.ops());
        builder.setOrigin(outer_.origin());
        builder.setRole(outer_.role());
        builder.setPass(Pass::backward);
        const auto gradientOf = [&](std::size_t input) {
            const auto found = std::ranges::find(given_, inside[input]);
            return found == given_.end()
                       ? ValueId{}
                       : gradients[static_cast<std::size_t>(found - given_.begin())];
        };
        std::vector<ValueId> carried;
        std::vector<ValueId> summed;
        std::vector<ValueId> collected;
        std::vector<std::size_t> carriedOf;
        std::vector<std::size_t> summedOf;
        std::vector<std::size_t> collectedOf;
        for (std::size_t k = 0; k < inside.size(); ++k) {
            const ValueId gradient = gradientOf(k);
            if (isCarried(k) && goesRound(k)) {
                carried.push_back(gradient.isNone()
                                      ? builder.add("scale", {inside[k]}, {{"factor", 0.0}})
                                      : gradient);
                carriedOf.push_back(k);
            } else if (!isCarried(k) && !gradient.isNone()) {
                (isSliced(k) ? collected : summed).push_back(gradient);
                (isSliced(k) ? collectedOf : summedOf).push_back(k);
            }
        }
        form.summed = summed.size();
        form.collected = collected.size();
        std::vector<ValueId> outputs = carried;
        outputs.insert(outputs.end(), summed.begin(), summed.end());
        outputs.insert(outputs.end(), collected.begin(), collected.end());
        setBodyOutputs(builder, std::move(outputs), carried.size());
        const std::vector<ValueId> made =
            addRepeat(outer_, std::move(body), std::move(inputs), form);
        std::vector<ValueId> dx(node.inputs.size());
        std::size_t next = 0;
        for (const auto* list : {&carriedOf, &summedOf, &collectedOf}) {
            for (const std::size_t k : *list) {
                dx[k] = wanted_[k] ? made[next] : ValueId{};
                ++next;
            }
        }
        return dx;
    }

    Builder& outer_;
    const NodeId id_;
    const RepeatForm form_;
    const std::vector<ValueId>& dy_;
    const std::vector<bool>& wanted_;
    std::vector<Operand> carried_;
    std::vector<Operand> sliced_;
    std::vector<Operand> captured_;
    std::vector<std::pair<ValueId, ValueId>> seeds_;
    std::vector<ValueId> given_;
};

} // namespace

std::vector<ValueId> repeatGradient(Builder& builder, NodeId node, const std::vector<ValueId>& dy,
                                    const std::vector<bool>& wanted) {
    return RepeatGradient(builder, node, dy, wanted).run();
}

} // namespace weft
