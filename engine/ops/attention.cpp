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
    return {{.name = "causal", .defaultValue = false, .help = "Causal mask."},
            {.name = "scale",
             .defaultValue = 1.0,
             .help = "Scale of the scores; usually 1 / sqrt(features per head)."}};
}

bool isPerHead(Inference& at, std::size_t input, std::string_view name) {
    if (at.shape(input).size() == 4) {
        return true;
    }
    at.refuse(fmt::format("{} is {}; attention takes [batch, heads, time, features]", name,
                          toString(at.shape(input))),
              input);
    return false;
}

/// Queries and keys that fit each other.
bool haveScores(Inference& at) {
    if (!isPerHead(at, 0, "query") || !isPerHead(at, 1, "key")) {
        return false;
    }
    const Shape& q = at.shape(0);
    const Shape& k = at.shape(1);
    if (q[0] != k[0] || q[1] != k[1] || q[3] != k[3]) {
        at.refuse(fmt::format("query is {} and key {}; batch, heads and features must agree",
                              toString(q), toString(k)),
                  1);
        return false;
    }
    return true;
}

Shape queryRows(Inference& at) { return {at.shape(0)[0], at.shape(0)[1], at.shape(0)[2]}; }

/// dims of q with the features of another.
Shape queryShape(Inference& at, std::int64_t features) {
    Shape shape = queryRows(at);
    shape.push_back(features);
    return shape;
}

bool isValue(Inference& at, std::size_t input) {
    if (!isPerHead(at, input, "value")) {
        return false;
    }
    const Shape& k = at.shape(1);
    return hasShape(at, input, {k[0], k[1], k[2], at.shape(input)[3]}, "value");
}

void inferAttention(Inference& at) {
    if (haveScores(at) && isValue(at, 2)) {
        at.output(0).shape = queryShape(at, at.shape(2)[3]);
        at.output(1).shape = queryRows(at);
    }
}

void inferValueGradient(Inference& at) {
    if (haveScores(at) && hasShape(at, 2, queryRows(at), "lse") && isPerHead(at, 3, "gradient") &&
        hasShape(at, 3, queryShape(at, at.shape(3)[3]), "gradient")) {
        const Shape& k = at.shape(1);
        at.output(0).shape = {k[0], k[1], k[2], at.shape(3)[3]};
    }
}

/// dq has the shape of input 0, dk of input 1.
std::function<void(Inference&)> gradientLike(std::size_t input) {
    return [input](Inference& at) {
        if (haveScores(at) && isValue(at, 2) &&
            hasShape(at, 3, queryShape(at, at.shape(2)[3]), "output") &&
            hasShape(at, 4, queryRows(at), "lse") && haveOneShape(at, 3, 5)) {
            at.output(0).shape = at.shape(input);
        }
    };
}

void differentiateAttention(Gradient& at) {
    const ValueId q = at.input(0);
    const ValueId k = at.input(1);
    const ValueId v = at.input(2);
    const ValueId o = at.output(0);
    const ValueId lse = at.output(1);
    if (at.wants(0)) {
        at.set(0, at.add("attention_dq", {q, k, v, o, lse, at.dy()}, at.attributes()));
    }
    if (at.wants(1)) {
        at.set(1, at.add("attention_dk", {q, k, v, o, lse, at.dy()}, at.attributes()));
    }
    if (at.wants(2)) {
        at.set(2, at.add("attention_dv", {q, k, lse, at.dy()}, at.attributes()));
    }
}

/// Scores of every query with every key, and what each costs.
Flops perScore(const Signature& at, std::int64_t flops) {
    const Shape& q = at.inputs[0].shape;
    return {q[0] * q[1] * q[2] * at.inputs[1].shape[2] * flops};
}

/// `kinds` says per drawn operand: q, k, v, or o like the output.
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

Op scoreGradient(std::string name, std::string output, std::size_t like, std::string_view result) {
    return {.name = std::move(name),
            .inputs = {{"q"}, {"k"}, {"v"}, {"o"}, {"lse"}, {"do"}},
            .outputs = {std::move(output)},
            .attributes = attentionAttributes(),
            .shape = gradientLike(like),
            .placement = "~b h q d!, ~b h k d!, [b h k e + b h q e], ~b h q, b h q e -> " +
                         std::string(result),
            .cost =
                [](const Signature& at) {
                    return perScore(at, 4 * at.inputs[0].shape[3] + 4 * at.inputs[2].shape[3] + 5);
                },
            .samples = scoreGradientSamples()};
}

} // namespace

void attention(OpList& list) {
    list.add({.name = "attention",
              .inputs = {{"q"}, {"k"}, {"v"}},
              .outputs = {"o", "lse"},
              .attributes = attentionAttributes(),
              .shape = inferAttention,
              .gradient = differentiateAttention,
              .placement = "~b h q d!, ~b h k! d!, b h k! e -> b h q e; "
                           "~b h q d!, ~b h k! d!, _ -> b h q",
              .cost =
                  [](const Signature& at) {
                      return perScore(at,
                                      2 * at.inputs[0].shape[3] + 2 * at.inputs[2].shape[3] + 5);
                  },
              .samples = attentionSamples("qkv")});
    list.add({.name = "attention_dv",
              .inputs = {{"q"}, {"k"}, {"lse"}, {"do"}},
              .outputs = {"dv"},
              .attributes = attentionAttributes(),
              .shape = inferValueGradient,
              .placement = "~b h q d!, ~b h k d!, ~b h q, b h q e -> b h k e",
              .cost =
                  [](const Signature& at) {
                      return perScore(at,
                                      2 * at.inputs[0].shape[3] + 2 * at.inputs[3].shape[3] + 3);
                  },
              .samples = valueGradientSamples()});
    list.add(scoreGradient("attention_dq", "dq", 0, "b h q d!"));
    list.add(scoreGradient("attention_dk", "dk", 1, "b h k d!"));
}

} // namespace weft::ops
