// SPDX-License-Identifier: Apache-2.0
// Per row (last dim): xhat = (x - mean) r with r = 1 / sqrt(biased variance + epsilon), y = gamma
// xhat + beta. dx = r (gamma dy - s1 - xhat s2), with s1 and s2 the row means of gamma dy and of
// gamma dy xhat. To split the last dim, these means are separate ops.
#include "graph/builder.h"
#include "ops/rules.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

AttributeSpec layerNormEpsilonAttribute() {
    return {.name = "epsilon",
            .defaultValue = 1e-5,
            .help = "Added to the variance for numerical stability.",
            .least = 0};
}

bool hasRows(ShapeInference& inference, std::size_t input) {
    if (inference.shape(input).size() >= 2) {
        return true;
    }
    inference.refuse(fmt::format("input is {}; layer_norm expects [batch, ..., features]",
                                 toString(inference.shape(input))),
                     input);
    return false;
}

Shape rowShape(const Shape& x) { return {x.begin(), x.end() - 1}; }

bool isPerRow(ShapeInference& inference, std::size_t input) {
    return hasShape(inference, input, rowShape(inference.shape(0)),
                    "the operand with one number per row");
}

bool isPerFeature(ShapeInference& inference, std::size_t input) {
    return hasShape(inference, input, {inference.shape(0).back()},
                    "the operand with one number per feature");
}

Flops layerNormPerElement(const Signature& signature, std::int64_t flops) {
    return {flops * signature.inputs[0].elements()};
}

std::vector<Shape> inputsOf(const Shape& x, std::string_view kinds) {
    std::vector<Shape> shapes;
    for (const char kind : kinds) {
        shapes.push_back(kind == 'x' ? x : kind == 'd' ? Shape{x.back()} : rowShape(x));
    }
    return shapes;
}

/// `kinds` names each operand: x like the input, d a number per feature, r a number per row.
std::vector<Sample> layerNormSamples(std::string_view kinds) {
    std::vector<Sample> samples;
    for (const Shape& x : {Shape{5, 7}, Shape{1, 2}, Shape{3, 5, 6}, Shape{17, 33}}) {
        samples.push_back({.inputs = inputsOf(x, kinds)});
    }
    return samples;
}

/// Returns samples with operands x, its mean and r, and then the operands drawn after x.
std::vector<Sample> samplesWithStatistics(std::string_view others) {
    auto samples = layerNormSamples("x" + std::string(others));
    for (Sample& sample : samples) {
        sample.operands = [](Builder& b, const std::vector<ValueId>& drawn) {
            const ValueId mean = b.add("row_mean", {drawn[0]});
            const ValueId variance = b.add("row_variance", {drawn[0], mean});
            const ValueId r = b.add("reciprocal_root", {variance}, {{"epsilon", 1e-5}});
            std::vector<ValueId> operands{drawn[0], mean, r};
            operands.insert(operands.end(), drawn.begin() + 1, drawn.end());
            return operands;
        };
    }
    return samples;
}

void differentiateLayerNorm(Gradient& gradient) {
    const ValueId x = gradient.input(0);
    const ValueId mean = gradient.output(1);
    const ValueId r = gradient.output(2);
    if (gradient.needsGradient(0)) {
        gradient.set(0,
                     gradient.add("layer_norm_dx", {x, mean, r, gradient.input(1), gradient.dy()}));
    }
    if (gradient.needsGradient(1)) {
        gradient.set(1, gradient.add("layer_norm_dgamma", {x, mean, r, gradient.dy()}));
    }
    if (gradient.needsGradient(2)) {
        gradient.set(2, gradient.add("bias_gradient", {gradient.dy()}));
    }
}

void expandLayerNorm(Expansion& expansion) {
    const ValueId x = expansion.input(0);
    const ValueId mean = expansion.add("row_mean", {x});
    const ValueId variance = expansion.add("row_variance", {x, mean});
    const ValueId r = expansion.add("reciprocal_root", {variance},
                                    {{"epsilon", expansion.attributes().real("epsilon")}});
    expansion.set(
        0, expansion.add("normalise_rows", {x, mean, r, expansion.input(1), expansion.input(2)}));
    expansion.set(1, mean);
    expansion.set(2, r);
}

void expandInputGradient(Expansion& expansion) {
    const ValueId gamma = expansion.input(3);
    const ValueId dy = expansion.input(4);
    const ValueId s1 = expansion.add("weighted_row_mean", {gamma, dy});
    const ValueId s2 = expansion.add("normalised_row_mean", {expansion.input(0), expansion.input(1),
                                                             expansion.input(2), gamma, dy});
    expansion.set(
        0, expansion.add("layer_norm_dx_from_means", {expansion.input(0), expansion.input(1),
                                                      expansion.input(2), gamma, dy, s1, s2}));
}

Op layerNorm() {
    return {.name = "layer_norm",
            .help = "y = gamma (x - mean) / sqrt(variance + epsilon) + beta, with the mean and "
                    "variance of each row.",
            .inputs = {{"x"}, {"gamma"}, {"beta"}},
            .outputs = {"y", "mean", "inverse_deviation"},
            .attributes = {layerNormEpsilonAttribute()},
            .shape =
                [](ShapeInference& inference) {
                    if (hasRows(inference, 0) && isPerFeature(inference, 1) &&
                        isPerFeature(inference, 2)) {
                        inference.output(0).shape = inference.shape(0);
                        inference.output(1).shape = inference.output(2).shape =
                            rowShape(inference.shape(0));
                    }
                },
            .gradient = differentiateLayerNorm,
            .placement = "~... d!, d! + d! -> ... d!; ~... d!, _ + _ -> ..., ...",
            .expand = expandLayerNorm,
            .cost = [](const Signature& signature) { return layerNormPerElement(signature, 8); },
            .inPlace = {{0, 0}},
            .samples = layerNormSamples("xdd"),
            .onnx = "LayerNormalization"};
}

Op layerNormInputGradient() {
    return {.name = "layer_norm_dx",
            .help = "Gradient of layer_norm with respect to x, through the mean and variance of "
                    "each row too.",
            .inputs = {{"x"}, {"mean"}, {"inverse_deviation"}, {"gamma"}, {"dy"}},
            .outputs = {"dx"},
            .shape =
                [](ShapeInference& inference) {
                    if (hasRows(inference, 0) && isPerRow(inference, 1) && isPerRow(inference, 2) &&
                        isPerFeature(inference, 3) && haveOneShape(inference, 0, 4)) {
                        inference.output(0).shape = inference.shape(0);
                    }
                },
            .placement = "~... d!, ~..., ~..., d!, ... d! -> ... d!",
            .expand = expandInputGradient,
            .cost = [](const Signature& signature) { return layerNormPerElement(signature, 11); },
            .inPlace = {{0, 0}, {4, 0}},
            .samples = samplesWithStatistics("dx")};
}

Op layerNormScaleGradient() {
    return {.name = "layer_norm_dgamma",
            .help = "Gradient of layer_norm with respect to gamma: the sum of dy xhat over rows.",
            .inputs = {{"x"}, {"mean"}, {"inverse_deviation"}, {"dy"}},
            .outputs = {"dgamma"},
            .shape =
                [](ShapeInference& inference) {
                    if (hasRows(inference, 0) && isPerRow(inference, 1) && isPerRow(inference, 2) &&
                        haveOneShape(inference, 0, 3)) {
                        inference.output(0).shape = {inference.shape(0).back()};
                    }
                },
            .placement = "[... d + ...], ..., ... d -> d",
            .cost = [](const Signature& signature) { return layerNormPerElement(signature, 4); },
            .samples = samplesWithStatistics("x")};
}

Op rowMean() {
    return {.name = "row_mean",
            .help = "The mean of each row, along the last dim.",
            .inputs = {{"x"}},
            .outputs = {"mean"},
            .shape =
                [](ShapeInference& inference) {
                    if (hasRows(inference, 0)) {
                        inference.output(0).shape = rowShape(inference.shape(0));
                    }
                },
            .placement = "... d -> ...",
            .cost = [](const Signature& signature) { return layerNormPerElement(signature, 1); },
            .samples = layerNormSamples("x")};
}

Op rowVariance() {
    return {.name = "row_variance",
            .help = "The biased variance of each row around a given mean.",
            .inputs = {{"x"}, {"mean"}},
            .outputs = {"variance"},
            .shape =
                [](ShapeInference& inference) {
                    if (hasRows(inference, 0) && isPerRow(inference, 1)) {
                        inference.output(0).shape = rowShape(inference.shape(0));
                    }
                },
            .placement = "~... d, ~... -> ...",
            .cost = [](const Signature& signature) { return layerNormPerElement(signature, 3); },
            .samples = layerNormSamples("xr")};
}

Op normaliseRows() {
    return {.name = "normalise_rows",
            .help = "y = gamma (x - mean) r + beta, with each row's mean and r = 1 / deviation.",
            .inputs = {{"x"}, {"mean"}, {"inverse_deviation"}, {"gamma"}, {"beta"}},
            .outputs = {"y"},
            .shape =
                [](ShapeInference& inference) {
                    if (hasRows(inference, 0) && isPerRow(inference, 1) && isPerRow(inference, 2) &&
                        isPerFeature(inference, 3) && isPerFeature(inference, 4)) {
                        inference.output(0).shape = inference.shape(0);
                    }
                },
            .placement = "[... d + ...], ..., d + d -> ... d",
            .cost = [](const Signature& signature) { return layerNormPerElement(signature, 4); },
            .inPlace = {{0, 0}},
            .samples = layerNormSamples("xrrdd")};
}

Op weightedRowMean() {
    return {
        .name = "weighted_row_mean",
        .help = "The mean of gamma dy over each row.",
        .inputs = {{"gamma"}, {"dy"}},
        .outputs = {"s1"},
        .shape =
            [](ShapeInference& inference) {
                if (hasRows(inference, 1) &&
                    hasShape(inference, 0, {inference.shape(1).back()}, "gamma")) {
                    inference.output(0).shape = rowShape(inference.shape(1));
                }
            },
        .placement = "d, ... d -> ...",
        .cost =
            [](const Signature& signature) { return Flops{2 * signature.inputs[1].elements()}; },
        .samples = {{.inputs = {{7}, {5, 7}}},
                    {.inputs = {{1}, {1, 1}}},
                    {.inputs = {{6}, {3, 5, 6}}}}};
}

Op normalisedRowMean() {
    return {.name = "normalised_row_mean",
            .help = "The mean of gamma dy xhat over each row, with xhat the normalised input.",
            .inputs = {{"x"}, {"mean"}, {"inverse_deviation"}, {"gamma"}, {"dy"}},
            .outputs = {"s2"},
            .shape =
                [](ShapeInference& inference) {
                    if (hasRows(inference, 0) && isPerRow(inference, 1) && isPerRow(inference, 2) &&
                        isPerFeature(inference, 3) && haveOneShape(inference, 0, 4)) {
                        inference.output(0).shape = rowShape(inference.shape(0));
                    }
                },
            .placement = "[... d + ...], ..., d, ... d -> ...",
            .cost = [](const Signature& signature) { return layerNormPerElement(signature, 5); },
            .samples = samplesWithStatistics("dx")};
}

Op inputGradientFromMeans() {
    return {.name = "layer_norm_dx_from_means",
            .help = "Gradient of layer_norm with respect to x from given row means: dx = r (gamma "
                    "dy - s1 - xhat s2).",
            .inputs = {{"x"}, {"mean"}, {"inverse_deviation"}, {"gamma"}, {"dy"}, {"s1"}, {"s2"}},
            .outputs = {"dx"},
            .shape =
                [](ShapeInference& inference) {
                    if (hasRows(inference, 0) && isPerRow(inference, 1) && isPerRow(inference, 2) &&
                        isPerFeature(inference, 3) && haveOneShape(inference, 0, 4) &&
                        isPerRow(inference, 5) && isPerRow(inference, 6)) {
                        inference.output(0).shape = inference.shape(0);
                    }
                },
            .placement = "~... d, ~..., ~..., [d, ... d + ... + ...] -> ... d",
            .cost = [](const Signature& signature) { return layerNormPerElement(signature, 7); },
            .inPlace = {{0, 0}, {4, 0}},
            .samples = samplesWithStatistics("dxrr"),
            .undeclaredRows = {"P, P, R, P, R, P, R -> P: linear in x, mean, gamma and s1 "
                               "together, but mean and deviation were computed from the complete x",
                               "P, P, R, R, P, P, R -> P: the same with dy for gamma"}};
}

} // namespace

void layer_norm(OpList& list) {
    list.add(layerNorm());
    list.add(layerNormInputGradient());
    list.add(layerNormScaleGradient());
    list.add(rowMean());
    list.add(rowVariance());
    list.add(normaliseRows());
    list.add(weightedRowMean());
    list.add(normalisedRowMean());
    list.add(inputGradientFromMeans());
}

} // namespace weft::ops
