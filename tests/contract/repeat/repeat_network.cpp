// SPDX-License-Identifier: Apache-2.0
#include "contract/repeat/repeat_network.h"

#include "graph/repeat.h"
#include "transform/differentiate.h"
#include "transform/optimize_step.h"

#include <algorithm>
#include <cmath>

namespace weft::test {

std::string nameOf(Sort sort) {
    switch (sort) {
    case Sort::twoOps: return "two ops";
    case Sort::recurrent: return "recurrent";
    case Sort::summing: return "summing";
    case Sort::dropping: return "dropping";
    case Sort::nested: return "nested";
    case Sort::nestedDropping: return "nested dropping";
    case Sort::coding: return "coding";
    case Sort::everything: return "everything";
    }
    return {};
}

RepeatNetwork::RepeatNetwork(Sort sort, std::int64_t batch, std::int64_t features,
                             std::int64_t count)
    : rounds_(count) {
    Builder builder(graph, ops);
    graph.name = nameOf(sort);
    const Origin it{LayerId{1}, 0};
    graph.layerNames[it] = "it";
    const bool isMap = sort == Sort::coding;
    const Shape state = isMap ? Shape{batch, features, 6, 6} : Shape{batch, features};
    const ValueId h = builder.addFeed("h", FeedKind::data, DType::f32, state);
    builder.setOrigin(it);
    const ValueId w = builder.valueOf(slot(
        builder, "it.weight", isMap ? Shape{features, features, 3, 3} : Shape{features, features}));
    const ValueId made = sort == Sort::everything ? everything(builder, h, w, state)
                         : isMap                  ? coding(builder, h, w, state)
                                                  : repeat(builder, sort, h, w, state);
    const Origin pull{LayerId{2}, 0};
    graph.layerNames[pull] = "pull";
    builder.setOrigin(pull);
    const ValueId weights =
        builder.addFeed("pull", FeedKind::data, DType::f32, builder.shape(made));
    loss = builder.add("sum_all", {builder.add("multiply", {made, weights})});
    graph.results.push_back({"loss", ResultKind::total, loss, pull});
}

SlotId RepeatNetwork::slot(Builder& builder, const std::string& name, Shape shape) {
    return builder.addSlot({.name = name,
                            .shape = std::move(shape),
                            .initialiser = {"normal", {{"mean", 0.0}, {"deviation", 0.4}}},
                            .origin = {},
                            .value = {}});
}

ValueId RepeatNetwork::repeat(Builder& builder, Sort sort, ValueId h, ValueId w,
                              const Shape& state) const {
    auto body = std::make_shared<Graph>();
    Builder inside(*body, ops);
    inside.setOrigin(builder.origin());
    RepeatForm form{.count = rounds_, .carried = 1};
    std::vector<ValueId> inputs{h};
    ValueId from = addBodyInput(*body, DType::f32, state, "h");
    const Shape features{state[1]};
    ValueId addend;
    if (sort == Sort::recurrent) {
        form.sliced = 1;
        form.collected = 1;
        form.isReversed = true;
        const Origin it = builder.origin();
        builder.setOrigin({});
        inputs.push_back(
            builder.addFeed("x", FeedKind::data, DType::f32, {rounds_, state[0], state[1]}));
        builder.setOrigin(it);
        addend = addBodyInput(*body, DType::f32, state, "x");
    }
    inputs.push_back(w);
    const ValueId weight = addBodyInput(*body, DType::f32, builder.shape(w), "w");
    ValueId step;
    if (sort == Sort::dropping || sort == Sort::nestedDropping) {
        inputs.push_back(builder.argument("step", DType::i64));
        step = addBodyInput(*body, DType::i64, {}, "step");
    }
    if (sort == Sort::dropping) {
        inside.setRole("dropout");
        from = inside.add("dropout", {from, step}, {{"rate", 0.4}});
        inside.setRole({});
    }
    const bool isNested = sort == Sort::nested || sort == Sort::nestedDropping;
    ValueId sum =
        isNested ? twice(inside, from, weight, step) : inside.add("linear", {from, weight});
    if (sort == Sort::recurrent) {
        inputs.push_back(builder.valueOf(slot(builder, "it.bias", features)));
        const ValueId bias = addBodyInput(*body, DType::f32, features, "bias");
        sum = inside.add("add", {inside.add("bias_add", {sum, bias}), addend});
    }
    const ValueId next = inside.add("tanh", {sum});
    std::vector<ValueId> outputs{next};
    if (sort == Sort::summing) {
        form.summed = 1;
        outputs.push_back(sum);
    } else if (sort == Sort::recurrent) {
        outputs.push_back(from);
    }
    setBodyOutputs(inside, std::move(outputs), form.carried);
    const std::vector<ValueId> made = addRepeat(builder, body, inputs, form);
    return made.back();
}

ValueId RepeatNetwork::twice(Builder& builder, ValueId h, ValueId w, ValueId step) const {
    auto body = std::make_shared<Graph>();
    Builder inside(*body, ops);
    inside.setOrigin(builder.origin());
    std::vector<ValueId> inputs{h, w};
    ValueId from = addBodyInput(*body, DType::f32, builder.shape(h), "g");
    const ValueId weight = addBodyInput(*body, DType::f32, builder.shape(w), "w");
    if (!step.isNone()) {
        inputs.push_back(step);
        inside.setRole("dropout");
        const ValueId now = addBodyInput(*body, DType::i64, {}, "step");
        from = inside.add("dropout", {from, now}, {{"rate", 0.4}});
        inside.setRole({});
    }
    const ValueId sum = inside.add("linear", {from, weight});
    setBodyOutputs(inside, {inside.add("tanh", {sum}), sum}, 1);
    const std::vector<ValueId> made =
        addRepeat(builder, body, inputs, {.count = 2, .carried = 1, .summed = 1});
    return builder.add("add", {made[0], made[1]});
}

ValueId RepeatNetwork::coding(Builder& builder, ValueId h, ValueId w, const Shape& state) const {
    auto body = std::make_shared<Graph>();
    Builder inside(*body, ops);
    inside.setOrigin(builder.origin());
    const ValueId from = addBodyInput(*body, DType::f32, state, "h");
    const ValueId weight = addBodyInput(*body, DType::f32, builder.shape(w), "w");
    const ValueId code = inside.add("relu", {from});
    const ValueId pulled = inside.add("conv2d", {code, weight}, {{"padding", Shape{1, 1, 1, 1}}});
    const ValueId half = inside.add("scale", {from}, {{"factor", 0.5}});
    setBodyOutputs(inside, {inside.add("tanh", {inside.add("add", {pulled, half})}), code}, 1);
    return addRepeat(builder, body, {h, w}, {.count = rounds_, .carried = 1, .collected = 1})
        .back();
}

ValueId RepeatNetwork::everything(Builder& builder, ValueId h, ValueId w,
                                  const Shape& state) const {
    const Origin it = builder.origin();
    builder.setOrigin({});
    const ValueId s = builder.addFeed("s", FeedKind::data, DType::f32, state);
    const ValueId x =
        builder.addFeed("x", FeedKind::data, DType::f32, {rounds_, state[0], state[1]});
    builder.setOrigin(it);
    auto body = std::make_shared<Graph>();
    Builder inside(*body, ops);
    inside.setOrigin(it);
    const ValueId from = addBodyInput(*body, DType::f32, state, "h");
    const ValueId factor = addBodyInput(*body, DType::f32, state, "s");
    const ValueId addend = addBodyInput(*body, DType::f32, state, "x");
    const ValueId weight = addBodyInput(*body, DType::f32, builder.shape(w), "w");
    const ValueId less = inside.add("scale", {weight}, {{"factor", 0.9}});
    const ValueId sum = inside.add("linear", {from, less});
    const ValueId next =
        inside.add("tanh", {inside.add("add", {sum, inside.add("multiply", {factor, addend})})});
    const ValueId slower = inside.add("scale", {factor}, {{"factor", 0.9}});
    setBodyOutputs(inside, {next, slower, sum, from, sum}, 2);
    const RepeatForm form{.count = rounds_,
                          .carried = 2,
                          .sliced = 1,
                          .summed = 1,
                          .collected = 2,
                          .isReversed = true};
    const std::vector<ValueId> made = addRepeat(builder, body, {h, s, x, w}, form);
    const auto of = [&](ValueId collected, std::int64_t position) {
        return builder.add("round", {collected}, {{"position", position}});
    };
    return builder.add("add",
                       {made[0], made[1], made[2], of(made[3], 0), of(made[4], rounds_ - 1)});
}

void RepeatNetwork::train() {
    differentiate(graph, ops, loss);
    TrainingSettings settings;
    settings.optimizerAttributes.set("momentum", 0.9);
    appendUpdate(graph, ops, allOptimizers(), settings);
    verify(graph);
}

double RepeatNetwork::gradientError(std::string& where) {
    differentiate(graph, ops, loss);
    verify(graph);
    Oracle oracle;
    double worst = 0;
    const auto values = evaluate(graph, oracle, {});
    for (const Slot& slot : graph.slots) {
        const Tensor& at = values.at(slot.value);
        const Tensor& computed = values.at(graph.gradientOf(slot.value));
        for (std::int64_t k = 0; k < at.elements(); ++k) {
            const auto lossAt = [&](double step) {
                Tensor moved = at;
                moved.set(k, at.at(k) + step);
                return evaluate(graph, oracle, {{slot.value, moved}}).at(loss).at(0);
            };
            const double expected = (lossAt(1e-5) - lossAt(-1e-5)) / 2e-5;
            const double error =
                std::abs(computed.at(k) - expected) / std::max(1.0, std::abs(expected));
            if (!(error <= worst)) {
                worst = error;
                where = slot.name + ": " + std::to_string(computed.at(k)) + " against " +
                        std::to_string(expected);
            }
        }
    }
    return worst;
}

Tensor RepeatNetwork::run(const Tensor& h, const Tensor& weight) {
    Oracle oracle;
    const auto values =
        evaluate(graph, oracle, {{graph.feeds[0].value, h}, {graph.slots[0].value, weight}});
    return values.at(graph.nodes[0].outputs[0]);
}

} // namespace weft::test
