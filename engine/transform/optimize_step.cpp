// SPDX-License-Identifier: Apache-2.0
#include "transform/optimize_step.h"

#include "transform/drop_unread.h"
#include "transform/period_sums.h"
#include <weft/error.h>

#include <algorithm>
#include <utility>

namespace weft {

namespace {

AttributeSpec share(std::string name, double fallback, std::string help) {
    return {.name = std::move(name),
            .defaultValue = fallback,
            .help = std::move(help),
            .least = 0,
            .below = 1};
}

AttributeSpec decay(double fallback, std::string help) {
    return {.name = "weight_decay",
            .defaultValue = fallback,
            .help = std::move(help),
            .least = 0,
            .most = 1};
}

std::vector<SettingKind> makeOptimizers() {
    const AttributeSpec beta1 = share("beta1", 0.9, "Decay rate of the first moment.");
    const AttributeSpec beta2 = share("beta2", 0.999, "Decay rate of the second moment.");
    const AttributeSpec epsilon = {.name = "epsilon",
                                   .defaultValue = 1e-8,
                                   .help = "Added to the denominator for numerical stability.",
                                   .most = 1,
                                   .above = 0};
    const AttributeSpec coupled =
        decay(0.0, "L2 penalty: weight_decay times the weight is added to the gradient.");
    return {
        {"sgd",
         "Stochastic gradient descent with momentum. PyTorch: SGD with dampening=0.",
         {share("momentum", 0.0, "Momentum factor."),
          {.name = "nesterov",
           .defaultValue = false,
           .help = "Nesterov momentum. Without momentum it has no effect."},
          coupled}},
        {"adam",
         "Adam; weight decay is added to the gradient. PyTorch: Adam.",
         {beta1, beta2, epsilon, coupled}},
        {"adamw",
         "Adam with decoupled weight decay. PyTorch: AdamW.",
         {beta1, beta2, epsilon,
          decay(0.01, "Decoupled weight decay: learning rate times weight_decay times the weight "
                      "is subtracted from the weight.")}},
    };
}

/// Collects the gradients of the parameters.
std::vector<Learnt> gradientsIn(const Graph& graph) {
    std::vector<Learnt> gradients;
    for (std::uint32_t k = 0; k < graph.slots.size(); ++k) {
        const ValueId gradient = graph.gradientOf(graph.slots[k].value);
        if (!gradient.isNone() && graph.slots[k].kind == SlotKind::parameter) {
            gradients.push_back({SlotId{k}, gradient});
        }
    }
    return gradients;
}

class Update {
public:
    Update(Graph& graph, const OpList& ops, const TrainingSettings& training,
           const TrainingStep& does)
        : graph_(graph),
          builder_(graph, ops),
          training_(training),
          does_(does),
          count_(appliesEveryStep(training) ? "step" : "update") {
        const auto known = std::ranges::find(optimizers(), training.optimizer, &SettingKind::name);
        ensure(known != optimizers().end(), "the settings of a design were checked");
        attributes_ = completed(training.optimizerAttributes, known->attributes);
    }

    void run(std::vector<Learnt> gradients) {
        builder_.setPass(Pass::update);
        std::vector<LayerUpdate> given = std::exchange(graph_.updates, {});
        if (does_.adds) {
            takeOwnMeans(gradients);
        }
        if (keepsSums(training_)) {
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
    void sumUp(std::vector<Learnt>& gradients, std::vector<LayerUpdate>& given) {
        using Takes = PeriodSums::Takes;
        PeriodSums sums(graph_, builder_, training_, does_);
        const auto add = [&](SlotId slot, ValueId value, Takes takes) {
            return sums.add({slot, does_.adds ? value : ValueId{}}, takes, value);
        };
        for (const Learnt& each : gradients) {
            add(each.slot, each.value, Takes::mean);
        }
        for (const LayerUpdate& each : given) {
            add(each.slot, each.sum, Takes::sum);
            add(each.slot, each.count, Takes::count);
        }
        sums.run();
        std::size_t number = 0;
        for (Learnt& each : gradients) {
            each.value = sums.applied(number++);
        }
        for (LayerUpdate& each : given) {
            each.sum = sums.applied(number++);
            each.count = sums.applied(number++);
        }
    }

    /// The loss is a mean over the batch. A set of weights per batch element needs the gradient of
    /// its own element's loss.
    void takeOwnMeans(std::vector<Learnt>& gradients) {
        for (Learnt& each : gradients) {
            const Slot& slot = graph_.at(each.slot);
            if (slot.isPerElement) {
                const auto elements = static_cast<double>(slot.shape.front());
                stamp(each.slot);
                each.value = builder_.add("scale", {each.value}, {{"factor", elements}});
            }
        }
    }

    void descend(const std::vector<Learnt>& gradients) {
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
        if (training_.optimizer != "sgd") {
            (void)builder_.argument(count_, DType::i64);
        }
        for (const auto& [slot, gradient] : gradients) {
            stamp(slot);
            update(slot, factor.isNone() ? gradient : builder_.add("scale_by", {gradient, factor}));
        }
    }

    void follow(const LayerUpdate& given) {
        stamp(given.slot);
        const ValueId weight = graph_.at(given.slot).value;
        if (!keepsSums(training_)) {
            graph_.gradients.resize(graph_.values.size());
            graph_.gradients[weight.value] = given.sum; // so that it is reduced as gradients are
            graph_.counts.push_back({given.slot, given.count});
        }
        std::vector<ValueId> operands = {weight, given.sum, given.count};
        for (const std::string& name : given.states) {
            operands.push_back(state(given.slot, name));
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
        writeAll(given.slot, given.states, next);
    }

    void stamp(SlotId slot) {
        builder_.setOrigin(graph_.at(slot).origin);
        builder_.setRole(graph_.at(slot).name);
    }

    ValueId state(SlotId parameter, const std::string& name) {
        const Slot& of = graph_.at(parameter);
        return builder_.valueOf(builder_.addSlot({.name = of.name + "/" + name,
                                                  .kind = SlotKind::optimizerState,
                                                  .dtype = of.dtype,
                                                  .shape = of.shape,
                                                  .initialiser = {},
                                                  .origin = {},
                                                  .value = {},
                                                  .of = parameter,
                                                  .isPerElement = of.isPerElement}));
    }

    void update(SlotId slot, ValueId gradient) {
        const ValueId weight = graph_.at(slot).value;
        const ValueId rate = builder_.argument("learning_rate", DType::f32);
        Attributes with = {
            {"weight_decay", attributes_.real("weight_decay") * graph_.at(slot).decayScale},
            {"rate_scale", graph_.at(slot).learningRateScale}};
        if (training_.optimizer != "sgd") {
            with.set("beta1", attributes_.real("beta1"));
            with.set("beta2", attributes_.real("beta2"));
            with.set("epsilon", attributes_.real("epsilon"));
            with.set("decoupled", training_.optimizer == "adamw");
            const std::vector<std::string> names = {"mean", "square"};
            const ValueId step = builder_.argument(count_, DType::i64);
            writeAll(slot, names,
                     builder_.addAll("adam",
                                     {weight, gradient, state(slot, names[0]),
                                      state(slot, names[1]), rate, step},
                                     std::move(with)));
        } else if (attributes_.real("momentum") > 0) {
            with.set("momentum", attributes_.real("momentum"));
            with.set("nesterov", attributes_.boolean("nesterov"));
            const std::vector<std::string> names = {"momentum"};
            writeAll(slot, names,
                     builder_.addAll("sgd_momentum",
                                     {weight, gradient, state(slot, names[0]), rate},
                                     std::move(with)));
        } else {
            writeAll(slot, {}, builder_.addAll("sgd", {weight, gradient, rate}, std::move(with)));
        }
    }

    void writeAll(SlotId slot, const std::vector<std::string>& states,
                  const std::vector<ValueId>& next) {
        builder_.write(slot, next[0]);
        for (std::size_t k = 0; k < states.size(); ++k) {
            builder_.write(builder_.slotNamed(graph_.at(slot).name + "/" + states[k]), next[k + 1]);
        }
    }

    Graph& graph_;
    Builder builder_;
    const TrainingSettings& training_;
    const TrainingStep does_;
    const char* count_; ///< the argument that counts updates
    Attributes attributes_;
};

} // namespace

const std::vector<SettingKind>& optimizers() {
    static const std::vector<SettingKind> list = makeOptimizers();
    return list;
}

void optimizeStep(Graph& graph, const OpList& ops, const TrainingSettings& training,
                  const TrainingStep& does) {
    Update(graph, ops, training, does).run(gradientsIn(graph));
}

void idleStep(Graph& graph, const OpList& ops, const TrainingSettings& training,
              const TrainingStep& does, const Graph& learning, const std::vector<ValueId>& wanted) {
    std::vector<ValueId> unwanted;
    for (const LayerUpdate& given : graph.updates) {
        unwanted.insert(unwanted.end(), {given.sum, given.count});
    }
    if (does.reduces) {
        std::vector<Learnt> kept = gradientsIn(learning);
        for (Learnt& each : kept) {
            each.value = graph.at(each.slot).value; // its gradient has the same placement
        }
        Update(graph, ops, training, does).run(std::move(kept));
    }
    graph.updates.clear();
    dropUnread(graph, unwanted, wanted);
}

} // namespace weft
