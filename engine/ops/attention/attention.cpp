// SPDX-License-Identifier: Apache-2.0
// Per example and head: p[q, k] = softmax over k of scale (q . k), o = p v, lse = the log of the
// sum of exponentials. Causal: a query sees the keys up to its own index. The gradients rebuild p =
// exp(scale (q . k) - lse) and, with ds = p (do . v - do . o), are dv = p^T do, dq = scale ds k,
// dk = scale ds^T q.
#include "graph/builder.h"
#include "ops/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace weft::ops {

namespace {

std::vector<AttributeSpec> attentionAttributes() {
    return {{.name = "causal",
             .defaultValue = false,
             .help = "Causal mask: a query attends to keys up to its own index."},
            {.name = "scale",
             .defaultValue = 1.0,
             .help = "Scale of the scores; usually 1 / sqrt(features per head)."}};
}

bool isPerHead(ShapeInference& inference, std::size_t input, std::string_view name) {
    if (inference.shape(input).size() == 4) {
        return true;
    }
    inference.refuse(fmt::format("{} is {}; attention expects [batch, heads, time, features]", name,
                                 toString(inference.shape(input))),
                     input);
    return false;
}

/// True if queries and keys fit each other.
bool haveScores(ShapeInference& inference) {
    if (!isPerHead(inference, 0, "query") || !isPerHead(inference, 1, "key")) {
        return false;
    }
    const Shape& q = inference.shape(0);
    const Shape& k = inference.shape(1);
    if (q[0] != k[0] || q[1] != k[1] || q[3] != k[3]) {
        inference.refuse(
            fmt::format("query is {} and key {}; batch, heads and features must be equal",
                        toString(q), toString(k)),
            1);
        return false;
    }
    return true;
}

Shape queryRows(ShapeInference& inference) {
    return {inference.shape(0)[0], inference.shape(0)[1], inference.shape(0)[2]};
}

/// Returns the dims of q with this number of features.
Shape queryShape(ShapeInference& inference, std::int64_t features) {
    Shape shape = queryRows(inference);
    shape.push_back(features);
    return shape;
}

bool isValue(ShapeInference& inference, std::size_t input) {
    if (!isPerHead(inference, input, "value")) {
        return false;
    }
    const Shape& k = inference.shape(1);
    return hasShape(inference, input, {k[0], k[1], k[2], inference.shape(input)[3]}, "value");
}

void inferAttention(ShapeInference& inference) {
    if (haveScores(inference) && isValue(inference, 2)) {
        inference.output(0).shape = queryShape(inference, inference.shape(2)[3]);
        inference.output(1).shape = queryRows(inference);
    }
}

void inferValueGradient(ShapeInference& inference) {
    if (haveScores(inference) && hasShape(inference, 2, queryRows(inference), "lse") &&
        isPerHead(inference, 3, "gradient") &&
        hasShape(inference, 3, queryShape(inference, inference.shape(3)[3]), "gradient")) {
        const Shape& k = inference.shape(1);
        inference.output(0).shape = {k[0], k[1], k[2], inference.shape(3)[3]};
    }
}

/// dq has the shape of input 0, dk of input 1.
std::function<void(ShapeInference&)> gradientLike(std::size_t input) {
    return [input](ShapeInference& inference) {
        if (haveScores(inference) && isValue(inference, 2) &&
            hasShape(inference, 3, queryShape(inference, inference.shape(2)[3]), "output") &&
            hasShape(inference, 4, queryRows(inference), "lse") && haveOneShape(inference, 3, 5)) {
            inference.output(0).shape = inference.shape(input);
        }
    };
}

void differentiateAttention(Gradient& gradient) {
    const ValueId q = gradient.input(0);
    const ValueId k = gradient.input(1);
    const ValueId v = gradient.input(2);
    const ValueId o = gradient.output(0);
    const ValueId lse = gradient.output(1);
    if (gradient.needsGradient(0)) {
        gradient.set(0, gradient.add("attention_dq", {q, k, v, o, lse, gradient.dy()},
                                     gradient.attributes()));
    }
    if (gradient.needsGradient(1)) {
        gradient.set(1, gradient.add("attention_dk", {q, k, v, o, lse, gradient.dy()},
                                     gradient.attributes()));
    }
    if (gradient.needsGradient(2)) {
        gradient.set(
            2, gradient.add("attention_dv", {q, k, lse, gradient.dy()}, gradient.attributes()));
    }
}

/// Returns the cost of the scores of every query with every key.
Flops perScore(const Signature& signature, std::int64_t flops) {
    const Shape& q = signature.inputs[0].shape;
    return {q[0] * q[1] * q[2] * signature.inputs[1].shape[2] * flops};
}

/// `kinds` names each drawn operand: q, k, v, or o, shaped like the output.
std::vector<Sample> attentionSamples(std::string_view kinds) {
    struct Case {
        std::int64_t batch, heads, queries, keys, features, outputs;
        bool causal;
    };
    std::vector<Sample> samples;
    for (const Case& c : {Case{2, 3, 5, 7, 4, 3, false}, Case{3, 2, 5, 5, 4, 6, true},
                          Case{1, 1, 1, 1, 1, 1, false}, Case{1, 2, 17, 17, 8, 8, true}}) {
        Sample sample{.attributes = {{"causal", c.causal},
                                     {"scale", 1 / std::sqrt(static_cast<double>(c.features))}}};
        for (const char kind : kinds) {
            const bool ofKeys = kind == 'k' || kind == 'v';
            const bool isOutput = kind == 'v' || kind == 'o';
            sample.inputs.push_back(
                {c.batch, c.heads, ofKeys ? c.keys : c.queries, isOutput ? c.outputs : c.features});
        }
        samples.push_back(std::move(sample));
    }
    return samples;
}

std::vector<Sample> valueGradientSamples() {
    auto samples = attentionSamples("qkvo");
    for (Sample& sample : samples) {
        sample.operands = [attributes = sample.attributes](Builder& b,
                                                           const std::vector<ValueId>& drawn) {
            const auto made = b.addAll("attention", {drawn[0], drawn[1], drawn[2]}, attributes);
            return std::vector{drawn[0], drawn[1], made[1], drawn[3]};
        };
    }
    return samples;
}

std::vector<Sample> scoreGradientSamples() {
    auto samples = attentionSamples("qkvo");
    for (Sample& sample : samples) {
        sample.operands = [attributes = sample.attributes](Builder& b,
                                                           const std::vector<ValueId>& drawn) {
            const auto made = b.addAll("attention", {drawn[0], drawn[1], drawn[2]}, attributes);
            return std::vector{drawn[0], drawn[1], drawn[2], made[0], made[1], drawn[3]};
        };
    }
    return samples;
}

Op scoreGradient(std::string name, std::string help, std::string output, std::size_t like,
                 std::string_view result) {
    return {.name = std::move(name),
            .help = std::move(help),
            .inputs = {{"q"}, {"k"}, {"v"}, {"o"}, {"lse"}, {"do"}},
            .outputs = {std::move(output)},
            .attributes = attentionAttributes(),
            .shape = gradientLike(like),
            .placement = "~b h q d!, ~b h k d!, [b h k e + b h q e], ~b h q, b h q e -> " +
                         std::string(result),
            .cost =
                [](const Signature& signature) {
                    return perScore(signature, 4 * signature.inputs[0].shape[3] +
                                                   4 * signature.inputs[2].shape[3] + 5);
                },
            .samples = scoreGradientSamples()};
}

} // namespace

void attention(OpList& list) {
    list.add({.name = "attention",
              .help = "Attention of each head: o = softmax(scale q k^T) v, and the log of each "
                      "query's sum of exponentials.",
              .inputs = {{"q"}, {"k"}, {"v"}},
              .outputs = {"o", "lse"},
              .attributes = attentionAttributes(),
              .shape = inferAttention,
              .gradient = differentiateAttention,
              .placement = "~b h q d!, ~b h k! d!, b h k! e -> b h q e; "
                           "~b h q d!, ~b h k! d!, _ -> b h q",
              .cost =
                  [](const Signature& signature) {
                      return perScore(signature, 2 * signature.inputs[0].shape[3] +
                                                     2 * signature.inputs[2].shape[3] + 5);
                  },
              .samples = attentionSamples("qkv")});
    list.add({.name = "attention_dv",
              .help = "Gradient of attention with respect to the values: dv = p^T do, with p the "
                      "softmax of the scores.",
              .inputs = {{"q"}, {"k"}, {"lse"}, {"do"}},
              .outputs = {"dv"},
              .attributes = attentionAttributes(),
              .shape = inferValueGradient,
              .placement = "~b h q d!, ~b h k d!, ~b h q, b h q e -> b h k e",
              .cost =
                  [](const Signature& signature) {
                      return perScore(signature, 2 * signature.inputs[0].shape[3] +
                                                     2 * signature.inputs[3].shape[3] + 3);
                  },
              .samples = valueGradientSamples()});
    list.add(scoreGradient("attention_dq",
                           "Gradient of attention with respect to the queries: dq = scale ds k, "
                           "with ds = p (do . v - do . o).",
                           "dq", 0, "b h q d!"));
    list.add(scoreGradient("attention_dk",
                           "Gradient of attention with respect to the keys: dk = scale ds^T q, "
                           "with ds = p (do . v - do . o).",
                           "dk", 1, "b h k d!"));
}

} // namespace weft::ops
