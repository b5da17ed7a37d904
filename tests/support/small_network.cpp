// SPDX-License-Identifier: Apache-2.0
#include "support/small_network.h"

#include "support/simulated_plan.h"
#include "transform/differentiate.h"
#include "transform/optimize_step.h"
#include <weft/error.h>

#include <algorithm>
#include <sstream>

namespace weft::test {

SmallNetwork::SmallNetwork() : ops_(allOps()), builder_(graph_, ops_) { graph_.name = "train"; }

void SmallNetwork::begin(const std::string& name) {
    layer_ = name;
    const Origin origin{{static_cast<std::uint32_t>(origins_.size())}, 0};
    origins_[name] = origin;
    graph_.layerNames[origin] = name;
    builder_.setOrigin(origin);
    builder_.setRole("");
}

Origin SmallNetwork::origin(const std::string& name) const { return origins_.at(name); }

ValueId SmallNetwork::parameter(const std::string& name, Shape shape) {
    return builder_.valueOf(builder_.addSlot({.name = layer_ + "." + name,
                                              .kind = SlotKind::parameter,
                                              .dtype = DType::f32,
                                              .shape = std::move(shape),
                                              .initialiser = {},
                                              .origin = {},
                                              .value = {}}));
}

ValueId SmallNetwork::input(const std::string& name, Shape shape, DType dtype) {
    begin(name);
    return builder_.addFeed(name, FeedKind::data, dtype, std::move(shape));
}

ValueId SmallNetwork::dense(const std::string& name, ValueId x, std::int64_t units, bool bias) {
    begin(name);
    ValueId y = builder_.add("linear", {x, parameter("weight", {units, builder_.shape(x).back()})});
    if (bias) {
        y = builder_.add("bias_add", {y, parameter("bias", {units})});
    }
    builder_.name(y, name + ".y");
    return y;
}

ValueId SmallNetwork::shift(const std::string& name, ValueId x, std::int64_t dim) {
    begin(name);
    const Shape& shape = builder_.shape(x);
    const std::int64_t count = shape[dim < 0 ? shape.size() - 1 : static_cast<std::size_t>(dim)];
    const ValueId y = builder_.add("bias_add", {x, parameter("shift", {count})}, {{"dim", dim}});
    builder_.name(y, name + ".y");
    return y;
}

ValueId SmallNetwork::convolution(const std::string& name, ValueId x, std::int64_t channels,
                                  std::int64_t groups) {
    begin(name);
    const std::int64_t inputs = builder_.shape(x)[1] / groups;
    const ValueId y = builder_.add("conv2d", {x, parameter("weight", {channels, inputs, 3, 3})},
                                   {{"padding", Shape{1, 1, 1, 1}}, {"groups", groups}});
    builder_.name(y, name + ".y");
    return y;
}

ValueId SmallNetwork::batchNorm(const std::string& name, ValueId x) {
    begin(name);
    const Shape channels{builder_.shape(x)[1]};
    const auto made = builder_.addAll(
        "batch_norm", {x, parameter("weight", channels), parameter("bias", channels)});
    const SlotId running = builder_.addSlot({.name = name + ".running_mean",
                                             .kind = SlotKind::statistics,
                                             .dtype = DType::f32,
                                             .shape = channels,
                                             .initialiser = {},
                                             .origin = {},
                                             .value = {}});
    builder_.write(running,
                   builder_.add("running_statistics", {builder_.valueOf(running), made[1]}));
    builder_.name(made[0], name + ".y");
    return made[0];
}

ValueId SmallNetwork::layerNorm(const std::string& name, ValueId x) {
    begin(name);
    const Shape features{builder_.shape(x).back()};
    const ValueId y =
        builder_.add("layer_norm", {x, parameter("weight", features), parameter("bias", features)});
    builder_.name(y, name + ".y");
    return y;
}

ValueId SmallNetwork::embedding(const std::string& name, ValueId ids, std::int64_t rows,
                                std::int64_t units) {
    begin(name);
    const ValueId y = builder_.add("embedding", {ids, parameter("weight", {rows, units})});
    builder_.name(y, name + ".y");
    return y;
}

ValueId SmallNetwork::attention(const std::string& name, ValueId x, std::int64_t heads) {
    begin(name);
    const std::int64_t features = builder_.shape(x).back();
    const std::int64_t size = features / heads;
    std::vector<ValueId> parts;
    for (const char* role : {"query", "key", "value"}) {
        builder_.setRole(role);
        const ValueId projected =
            builder_.add("linear", {x, parameter(role, {features, features})});
        builder_.setLetters(projected, {{"model.stack", "o", size}, {"model.add", "", 1}});
        parts.push_back(builder_.add("heads_apart", {projected}, {{"heads", heads}}));
    }
    builder_.setRole("");
    const ValueId mixed = builder_.add("attention", parts, {{"causal", true}});
    const ValueId joined = builder_.add("heads_together", {mixed});
    const ValueId y = builder_.add("linear", {joined, parameter("output", {features, features})});
    builder_.setLetters(y, {{"model.stack", "i", size}, {"model.add", "", 1}});
    builder_.name(y, name + ".y");
    return y;
}

ValueId SmallNetwork::op(const std::string& name, const std::string& op,
                         std::vector<ValueId> inputs, Attributes attributes) {
    begin(name);
    const ValueId y = builder_.add(op, std::move(inputs), std::move(attributes));
    builder_.name(y, name + ".y");
    return y;
}

ValueId SmallNetwork::loss(const std::string& name, ValueId logits, ValueId target) {
    begin(name);
    const ValueId loss =
        builder_.add("mean", {builder_.add("softmax_cross_entropy", {logits, target})});
    builder_.addResult("loss", ResultKind::loss, loss);
    return loss;
}

ValueId SmallNetwork::meanLoss(const std::string& name, ValueId x) {
    begin(name);
    const ValueId loss = builder_.add("mean", {x});
    builder_.addResult("loss", ResultKind::loss, loss);
    return loss;
}

void SmallNetwork::accuracy(const std::string& name, ValueId logits, ValueId target) {
    begin(name);
    builder_.setPass(Pass::metric);
    builder_.addResult(name, ResultKind::metric, builder_.add("accuracy", {logits, target}));
    builder_.setPass(Pass::forward);
}

void SmallNetwork::train(ValueId loss, double clipNorm, const std::string& optimizer) {
    TrainingSettings training;
    training.optimizer = optimizer;
    training.clipNorm = clipNorm;
    if (optimizer == "sgd") {
        training.optimizerAttributes.set("momentum", 0.9);
    }
    train(loss, training);
}

void SmallNetwork::train(ValueId loss, const TrainingSettings& training) {
    ensure(builder_.takeRefusals().empty(), "a network of the tests fits together");
    differentiate(graph_, ops_, loss);
    appendUpdate(graph_, ops_, allOptimizers(), training);
    verify(graph_);
}

Assignment SmallNetwork::assignment(const std::string& text) {
    Assignment made;
    std::istringstream words(text);
    std::string mode = "words";
    for (std::string word; words >> word;) {
        if (word == "on" || word == "as") {
            mode = word;
        } else if (mode == "on") {
            made.devices.push_back(word);
        } else if (mode == "as") {
            const std::size_t by = word.find('x');
            made.mesh = {std::stoll(word.substr(0, by)), std::stoll(word.substr(by + 1))};
        } else {
            made.words.push_back(*axisWordNamed(word));
        }
    }
    return made;
}

PlacementRequest
SmallNetwork::request(std::size_t devices,
                      const std::map<std::string, std::string>& assignments) const {
    PlacementRequest made;
    for (std::size_t k = 0; k < devices; ++k) {
        made.devices.push_back("cpu:" + std::to_string(k));
    }
    for (const auto& [name, text] : assignments) {
        if (name.empty()) {
            made.fallback = assignment(text);
        } else {
            made.layers[origin(name)] = assignment(text);
        }
    }
    return made;
}

std::map<ValueId, Tensor> drawGiven(const Graph& graph, std::int64_t integersBelow) {
    std::map<ValueId, Tensor> given;
    for (const Feed& feed : graph.feeds) {
        const Value& value = graph.at(feed.value);
        const DType dtype = isFloating(value.dtype) ? DType::f64 : value.dtype;
        given[feed.value] = feed.kind == FeedKind::argument
                                ? Tensor(dtype, value.shape, {feed.name == "step" ? 3.0 : 0.5})
                            : isFloating(dtype)
                                ? drawNormal(dtype, value.shape, 1, feed.name)
                                : drawIntegers(dtype, value.shape, integersBelow, 1, feed.name);
    }
    for (const Slot& slot : graph.slots) {
        given[slot.value] = slot.kind == SlotKind::optimizerState
                                ? drawUniform(DType::f64, slot.shape, 0.1, 1, 1, slot.name)
                                : drawNormal(DType::f64, slot.shape, 1, slot.name);
    }
    return given;
}

SlotHome& slotOf(Plan& plan, const std::string& name) {
    return plan.slots.at(plan.graph->slotNamed(name).value);
}

double differenceOf(const SmallNetwork& network, const Plan& plan, std::int64_t integersBelow) {
    verify(plan);
    Oracle oracle;
    const auto given = drawGiven(network.graph(), integersBelow);
    const auto whole = evaluate(network.graph(), oracle, given);
    const auto parts = runPlan(plan, oracle, given);
    double most = 0;
    const auto compare = [&](ValueId wanted, PlacedId got) {
        const Tensor& expected = whole.at(wanted);
        const double difference = largestDifference(expected, wholeOf(plan, parts, got));
        most = std::max(most, difference / std::max(1e-3, largestMagnitude(expected)));
    };
    for (std::size_t k = 0; k < plan.results.size(); ++k) {
        compare(network.graph().results[k].value, plan.results[k]);
    }
    for (const SlotHome& home : plan.slots) {
        if (!home.next.isNone()) {
            compare(network.graph().at(home.slot).next, home.next);
        }
    }
    return most;
}

} // namespace weft::test
