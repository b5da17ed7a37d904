// SPDX-License-Identifier: Apache-2.0
#include "transform/optimize_step.h"

#include "transform/period_sums.h"
#include <weft/error.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace weft {

namespace {

/// Collects the gradients of the parameters.
std::vector<UpdateTerm> gradientsIn(const Graph& graph) {
    std::vector<UpdateTerm> gradients;
    for (std::uint32_t k = 0; k < graph.slots.size(); ++k) {
        const ValueId gradient = graph.gradientOf(graph.slots[k].value);
        if (!gradient.isNone() && graph.slots[k].kind == SlotKind::parameter) {
            gradients.push_back({SlotId{k}, gradient});
        }
    }
    return gradients;
}

/// Drops everything that leads to `unwanted` and that nothing else reads. `wanted` are read from
/// outside the graph. Values keep their ids.
void dropUnread(Graph& graph, const std::vector<ValueId>& unwanted,
                const std::vector<ValueId>& wanted) {
    std::vector<bool> isUnwanted(graph.values.size(), false);
    std::vector<bool> isRead(graph.values.size(), false);
    const auto mark = [](std::vector<bool>& marks, ValueId value) {
        if (!value.isNone()) {
            marks[value.value] = true;
        }
    };
    std::ranges::for_each(unwanted, [&](ValueId value) { mark(isUnwanted, value); });
    std::ranges::for_each(wanted, [&](ValueId value) { mark(isRead, value); });
    for (const Result& result : graph.results) {
        mark(isRead, result.value);
    }
    for (const Slot& slot : graph.slots) {
        mark(isRead, slot.next);
    }
    std::vector<Node> kept;
    for (std::size_t n = graph.nodes.size(); n-- > 0;) {
        Node& node = graph.nodes[n];
        const auto is = [&](const std::vector<bool>& marks) {
            return std::ranges::any_of(node.outputs,
                                       [&](ValueId output) { return marks[output.value]; });
        };
        const bool goes = is(isUnwanted) && !is(isRead);
        for (const ValueId input : node.inputs) {
            mark(goes ? isUnwanted : isRead, input);
        }
        if (goes) {
            for (const ValueId output : node.outputs) {
                graph.at(output).producer = {};
            }
        } else {
            kept.push_back(std::move(node));
        }
    }
    graph.nodes.assign(std::make_move_iterator(kept.rbegin()),
                       std::make_move_iterator(kept.rend()));
    for (std::uint32_t n = 0; n < graph.nodes.size(); ++n) {
        for (const ValueId output : graph.nodes[n].outputs) {
            graph.at(output).producer = {n};
        }
    }
}

class Update {
public:
    Update(Graph& graph, const OpList& ops, const OptimizerList& optimizers,
           const TrainingSettings& training, const TrainingStep& does)
        : graph_(graph),
          builder_(graph, ops),
          training_(training),
          does_(does),
          count_(appliesEveryStep(training) ? "step" : "update"),
          optimizer_(optimizers.find(training.optimizer)) {
        ensure(optimizer_ != nullptr, "the settings of a design were checked");
        attributes_ = completed(training.optimizerAttributes, optimizer_->info.attributes);
    }

    void run(std::vector<UpdateTerm> gradients) {
        builder_.setPass(Pass::update);
        std::vector<LayerUpdate> given = std::exchange(graph_.updates, {});
        if (does_.adds) {
            takeOwnMeans(gradients);
        }
        if (accumulatesGradients(training_)) {
            sumUp(gradients, given);
        }
        if (!does_.applies) {
            return;
        }
        if (!gradients.empty()) {
            descend(gradients);
        }
        for (const LayerUpdate& each : given) {
            follow(each);
        }
    }

private:
    /// Replaces gradients, sums and counts by those of the period.
    void sumUp(std::vector<UpdateTerm>& gradients, std::vector<LayerUpdate>& given) {
        using AppliedAs = PeriodSums::AppliedAs;
        PeriodSums sums(graph_, builder_, training_, does_);
        const auto add = [&](SlotId slot, ValueId value, AppliedAs appliedAs) {
            return sums.add({slot, does_.adds ? value : ValueId{}}, appliedAs, value);
        };
        for (const UpdateTerm& each : gradients) {
            add(each.slot, each.value, AppliedAs::mean);
        }
        for (const LayerUpdate& each : given) {
            add(each.slot, each.sum, AppliedAs::sum);
            add(each.slot, each.count, AppliedAs::count);
        }
        sums.run();
        std::size_t number = 0;
        for (UpdateTerm& each : gradients) {
            each.value = sums.applied(number++);
        }
        for (LayerUpdate& each : given) {
            each.sum = sums.applied(number++);
            each.count = sums.applied(number++);
        }
    }

    /// The loss is a mean over the batch. A set of weights per batch element needs the gradient of
    /// its own element's loss.
    void takeOwnMeans(std::vector<UpdateTerm>& gradients) {
        for (UpdateTerm& each : gradients) {
            const Slot& slot = graph_.at(each.slot);
            if (slot.isPerElement) {
                const auto elements = static_cast<double>(slot.shape.front());
                stamp(each.slot);
                each.value = builder_.add("scale", {each.value}, {{"factor", elements}});
            }
        }
    }

    void descend(const std::vector<UpdateTerm>& gradients) {
        std::vector<ValueId> squares;
        squares.reserve(gradients.size());
        for (const auto& [slot, gradient] : gradients) {
            stamp(slot);
            squares.push_back(builder_.add("squares", {gradient}));
        }
        builder_.setOrigin({});
        builder_.setRole("norm");
        const ValueId norm = squares.size() == 1 ? squares.front() : builder_.add("add", squares);
        builder_.name(norm, "gradient norm, squared");
        builder_.addResult("gradient_norm_squared", ResultKind::norm, norm);
        ValueId factor;
        if (training_.clipNorm > 0) {
            factor = builder_.add("clip_factor", {norm}, {{"limit", training_.clipNorm}});
        }
        // Added before the updates, all of which read it.
        (void)builder_.argument("learning_rate", DType::f32);
        if (optimizer_->readsUpdateNumber) {
            (void)builder_.argument(count_, DType::i64);
        }
        for (const auto& [slot, gradient] : gradients) {
            stamp(slot);
            ParameterUpdate update(builder_,
                                   {.parameter = slot,
                                    .gradient = factor.isNone()
                                                    ? gradient
                                                    : builder_.add("scale_by", {gradient, factor}),
                                    .attributes = attributes_,
                                    .counter = count_});
            optimizer_->update(update);
        }
    }

    void follow(const LayerUpdate& given) {
        stamp(given.slot);
        const ValueId weight = graph_.at(given.slot).value;
        if (!accumulatesGradients(training_)) {
            graph_.gradients.resize(graph_.values.size());
            graph_.gradients[weight.value] = given.sum; // so that it is reduced as gradients are
            graph_.counts.push_back({given.slot, given.count});
        }
        std::vector<ValueId> operands = {weight, given.sum, given.count};
        for (const std::string& name : given.states) {
            operands.push_back(optimizerState(builder_, given.slot, name));
        }
        operands.push_back(builder_.argument("learning_rate", DType::f32));
        Attributes with = given.attributes;
        with.set("rate_scale", graph_.at(given.slot).learningRateScale);
        if (with.has("weight_decay")) {
            with.set("weight_decay", with.real("weight_decay") * graph_.at(given.slot).decayScale);
        }
        std::vector<ValueId> next = builder_.addAll(given.op, std::move(operands), std::move(with));
        if (!given.renormalise.empty()) {
            const ValueId kept = builder_.add(given.renormalise, {next[0]}, given.renormaliseWith);
            next[0] = builder_.add("replace", {weight, kept});
        }
        builder_.write(given.slot, next[0]);
        for (std::size_t k = 0; k < given.states.size(); ++k) {
            writeOptimizerState(builder_, given.slot, given.states[k], next[k + 1]);
        }
    }

    void stamp(SlotId slot) {
        builder_.setOrigin(graph_.at(slot).origin);
        builder_.setRole(graph_.at(slot).name);
    }

    Graph& graph_;
    Builder builder_;
    const TrainingSettings& training_;
    const TrainingStep does_;
    const char* count_; ///< the argument that counts updates
    const Optimizer* optimizer_;
    Attributes attributes_;
};

} // namespace

void appendUpdate(Graph& graph, const OpList& ops, const OptimizerList& optimizers,
                  const TrainingSettings& training, const TrainingStep& does) {
    Update(graph, ops, optimizers, training, does).run(gradientsIn(graph));
}

void appendUpdateWithoutGradients(Graph& graph, const OpList& ops, const OptimizerList& optimizers,
                                  const TrainingSettings& training, const TrainingStep& does,
                                  const Graph& learning, const std::vector<ValueId>& wanted) {
    std::vector<ValueId> unwanted;
    for (const LayerUpdate& given : graph.updates) {
        unwanted.insert(unwanted.end(), {given.sum, given.count});
    }
    if (does.reduces) {
        std::vector<UpdateTerm> kept = gradientsIn(learning);
        for (UpdateTerm& each : kept) {
            each.value = graph.at(each.slot).value; // its gradient has the same placement
        }
        Update(graph, ops, optimizers, training, does).run(std::move(kept));
    }
    graph.updates.clear();
    dropUnread(graph, unwanted, wanted);
}

} // namespace weft
