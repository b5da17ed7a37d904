// SPDX-License-Identifier: Apache-2.0
// Per channel (dim 1): mean and biased variance over all other dims, y = gamma (x - mean) /
// sqrt(variance + epsilon) + beta. dx = gamma / sqrt(variance + epsilon) (dy - dbeta / n - xhat
// dgamma / n), where n is the number of elements per channel. To split examples or positions, the
// statistics are computed in two passes: mean, then centred squares.
#include "graph/builder.h"
#include "ops/rules.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

AttributeSpec batchNormEpsilonAttribute() {
    return {.name = "epsilon",
            .defaultValue = 1e-5,
            .help = "Added to the variance for numerical stability.",
            .least = 0};
}

/// True for [batch, channels] with any positions after them.
bool hasChannels(ShapeInference& inference, std::string_view name) {
    const std::size_t rank = inference.shape(0).size();
    if (rank >= 2 && rank <= 5) {
        return true;
    }
    inference.refuse(
        fmt::format("{} is {}; batch_norm expects [batch, channels] or [batch, channels, rows, "
                    "columns]",
                    name, toString(inference.shape(0))));
    return false;
}

/// True if inputs [first, last) have one number per channel.
bool arePerChannel(ShapeInference& inference, std::size_t first, std::size_t last) {
    const Shape channels{inference.shape(0)[1]};
    for (std::size_t k = first; k < last; ++k) {
        if (!hasShape(inference, k, channels, "the operand with one number per channel")) {
            return false;
        }
    }
    return true;
}

std::string batchNormLetters(const Signature& signature) {
    return lettersWith(signature.inputs[0].shape.size(), 1, "c");
}

/// Returns the letters with all but the channel kept whole: "b! c y! x!".
std::string wholeLettersOf(const Signature& signature) {
    std::string text;
    for (const char letter : batchNormLetters(signature)) {
        text += letter;
        if (letter != ' ' && letter != 'c') {
            text += '!';
        }
    }
    return text;
}

Flops batchNormPerElement(const Signature& signature, std::int64_t flops) {
    return {flops * signature.inputs[0].elements()};
}

std::vector<Sample>
batchNormSamples(std::initializer_list<Shape> pictures,
                 const std::function<std::vector<Shape>(const Shape&)>& inputs) {
    std::vector<Sample> samples;
    for (const Shape& picture : pictures) {
        samples.push_back({.inputs = inputs(picture)});
    }
    return samples;
}

void expandBatchNorm(Expansion& expansion) {
    const ValueId x = expansion.input(0);
    const ValueId mean = expansion.add("channel_mean", {x});
    const ValueId variance = expansion.add("channel_variance", {x, mean});
    expansion.set(0, expansion.add("batch_norm_inference",
                                   {x, mean, variance, expansion.input(1), expansion.input(2)},
                                   expansion.attributes()));
    expansion.set(1, mean);
    expansion.set(2, variance);
}

void differentiateBatchNorm(Gradient& gradient) {
    const ValueId x = gradient.input(0);
    const ValueId mean = gradient.output(1);
    const ValueId variance = gradient.output(2);
    const std::vector<ValueId> sums = gradient.addAll(
        "batch_norm_dgamma", {x, mean, variance, gradient.dy()}, gradient.attributes());
    const ValueId dgamma = sums[0];
    const ValueId dbeta = sums[1];
    if (gradient.needsGradient(0)) {
        gradient.set(
            0, gradient.add("batch_norm_dx",
                            {x, mean, variance, gradient.input(1), gradient.dy(), dgamma, dbeta},
                            gradient.attributes()));
    }
    gradient.set(1, dgamma);
    gradient.set(2, dbeta);
}

Op batchNorm() {
    return {.name = "batch_norm",
            .help = "y = gamma (x - mean) / sqrt(variance + epsilon) + beta, with the mean and "
                    "variance of each channel.",
            .inputs = {{"x"}, {"gamma"}, {"beta"}},
            .outputs = {"y", "mean", "variance"},
            .attributes = {batchNormEpsilonAttribute()},
            .shape =
                [](ShapeInference& inference) {
                    if (hasChannels(inference, "input") && arePerChannel(inference, 1, 3)) {
                        inference.output(0).shape = inference.shape(0);
                        inference.output(1).shape =
                            inference.output(2).shape = {inference.shape(0)[1]};
                    }
                },
            .gradient = differentiateBatchNorm,
            .placementOf =
                [](const Signature& signature) {
                    return fmt::format("~{0}, c + c -> {0}; ~{0}, _ + _ -> c, c",
                                       wholeLettersOf(signature));
                },
            .expand = expandBatchNorm,
            .cost = [](const Signature& signature) { return batchNormPerElement(signature, 7); },
            .inPlace = {{0, 0}},
            .samples = batchNormSamples({{5, 3, 4, 7}, {2, 1, 1, 1}, {9, 17}, {3, 5, 1, 3}},
                                        [](const Shape& x) {
                                            return std::vector<Shape>{x, {x[1]}, {x[1]}};
                                        }),
            .onnx = "BatchNormalization"};
}

Op batchNormInputGradient() {
    Op op{.name = "batch_norm_dx",
          .help = "Gradient of batch_norm with respect to x, through the mean and variance of each "
                  "channel too.",
          .inputs = {{"x"}, {"mean"}, {"variance"}, {"gamma"}, {"dy"}, {"dgamma"}, {"dbeta"}},
          .outputs = {"dx"},
          .attributes = {batchNormEpsilonAttribute()},
          .shape =
              [](ShapeInference& inference) {
                  if (hasChannels(inference, "input") && arePerChannel(inference, 1, 4) &&
                      haveOneShape(inference, 0, 4) && arePerChannel(inference, 5, 7)) {
                      inference.output(0).shape = inference.shape(0);
                  }
              },
          .placementOf =
              [](const Signature& signature) {
                  return fmt::format("~{0}, ~c, ~c, c, [{0} + c + c] -> {0}",
                                     batchNormLetters(signature));
              },
          .cost = [](const Signature& signature) { return batchNormPerElement(signature, 7); },
          .inPlace = {{0, 0}, {4, 0}},
          .undeclaredRows = {"P, P, R, R, P, R, P -> P: linear in x, mean, dy and dbeta together, "
                             "but mean and variance were computed from the complete x"}};
    op.samples = batchNormSamples({{5, 3, 4, 7}, {2, 1, 1, 1}, {9, 17}}, [](const Shape& x) {
        const Shape c{x[1]};
        return std::vector<Shape>{x, c, c, x};
    });
    for (Sample& sample : op.samples) {
        sample.operands = [](Builder& b, const std::vector<ValueId>& drawn) {
            const ValueId x = drawn[0];
            const ValueId dy = drawn[3];
            const auto norm = b.addAll("batch_norm", {x, drawn[1], drawn[2]});
            const auto sums = b.addAll("batch_norm_dgamma", {x, norm[1], norm[2], dy});
            return std::vector{x, norm[1], norm[2], drawn[1], dy, sums[0], sums[1]};
        };
    }
    return op;
}

/// dgamma = sum of dy xhat and dbeta = sum of dy, computed in one pass.
Op batchNormScaleGradient() {
    Op op{.name = "batch_norm_dgamma",
          .help = "Gradients of batch_norm with respect to gamma and beta: the sums of dy xhat and "
                  "of dy over each channel.",
          .inputs = {{"x"}, {"mean"}, {"variance"}, {"dy"}},
          .outputs = {"dgamma", "dbeta"},
          .attributes = {batchNormEpsilonAttribute()},
          .shape =
              [](ShapeInference& inference) {
                  if (hasChannels(inference, "input") && arePerChannel(inference, 1, 3) &&
                      haveOneShape(inference, 0, 3)) {
                      inference.output(0).shape =
                          inference.output(1).shape = {inference.shape(0)[1]};
                  }
              },
          .placementOf =
              [](const Signature& signature) {
                  return fmt::format("[{0} + c], ~c, {0} -> c; [_ + _], _, {0} -> c",
                                     batchNormLetters(signature));
              },
          .cost = [](const Signature& signature) { return batchNormPerElement(signature, 4); }};
    op.samples = batchNormSamples({{5, 3, 4, 7}, {2, 1, 1, 1}, {9, 17}}, [](const Shape& x) {
        return std::vector<Shape>{x, {x[1]}, {x[1]}, x};
    });
    for (Sample& sample : op.samples) {
        sample.operands = [](Builder& b, const std::vector<ValueId>& drawn) {
            const auto norm = b.addAll("batch_norm", {drawn[0], drawn[1], drawn[2]});
            return std::vector{drawn[0], norm[1], norm[2], drawn[3]};
        };
    }
    return op;
}

Op batchNormInference() {
    return {.name = "batch_norm_inference",
            .help = "y = gamma (x - mean) / sqrt(variance + epsilon) + beta, with a given mean and "
                    "variance.",
            .inputs = {{"x"}, {"mean"}, {"variance"}, {"gamma"}, {"beta"}},
            .outputs = {"y"},
            .attributes = {batchNormEpsilonAttribute()},
            .shape =
                [](ShapeInference& inference) {
                    if (hasChannels(inference, "input") && arePerChannel(inference, 1, 5)) {
                        inference.output(0).shape = inference.shape(0);
                    }
                },
            .placementOf =
                [](const Signature& signature) {
                    return fmt::format("[{0} + c], ~c, c + c -> {0}", batchNormLetters(signature));
                },
            .cost = [](const Signature& signature) { return batchNormPerElement(signature, 4); },
            .inPlace = {{0, 0}},
            .samples =
                [] {
                    auto samples =
                        batchNormSamples({{5, 3, 4, 7}, {2, 1, 1, 1}, {9, 17}}, [](const Shape& x) {
                            const Shape c{x[1]};
                            return std::vector<Shape>{x, c, c, c, c};
                        });
                    for (Sample& sample : samples) {
                        sample.positive = true;
                    }
                    return samples;
                }(),
            .onnx = "BatchNormalization"};
}

Op channelMean() {
    return {.name = "channel_mean",
            .help = "The mean of each channel over all other dims.",
            .inputs = {{"x"}},
            .outputs = {"mean"},
            .shape =
                [](ShapeInference& inference) {
                    if (hasChannels(inference, "input")) {
                        inference.output(0).shape = {inference.shape(0)[1]};
                    }
                },
            .placementOf =
                [](const Signature& signature) {
                    return fmt::format("{} -> c", batchNormLetters(signature));
                },
            .cost = [](const Signature& signature) { return batchNormPerElement(signature, 1); },
            .samples = batchNormSamples({{5, 3, 4, 7}, {2, 1, 1, 1}, {9, 17}},
                                        [](const Shape& x) { return std::vector<Shape>{x}; })};
}

Op channelVariance() {
    return {.name = "channel_variance",
            .help = "The biased variance of each channel around a given mean.",
            .inputs = {{"x"}, {"mean"}},
            .outputs = {"variance"},
            .shape =
                [](ShapeInference& inference) {
                    if (hasChannels(inference, "input") && arePerChannel(inference, 1, 2)) {
                        inference.output(0).shape = {inference.shape(0)[1]};
                    }
                },
            .placementOf =
                [](const Signature& signature) {
                    return fmt::format("~{}, ~c -> c", batchNormLetters(signature));
                },
            .cost = [](const Signature& signature) { return batchNormPerElement(signature, 3); },
            .samples = batchNormSamples({{5, 3, 4, 7}, {2, 1, 1, 1}, {9, 17}}, [](const Shape& x) {
                return std::vector<Shape>{x, {x[1]}};
            })};
}

Op runningStatistics() {
    return {.name = "running_statistics",
            .help = "A running mean: next = (1 - momentum) running + momentum scale observed.",
            .inputs = {{"running"}, {"observed"}},
            .outputs = {"next"},
            .attributes = {{.name = "momentum",
                            .defaultValue = 0.1,
                            .help = "Momentum of the running statistics.",
                            .least = 0,
                            .most = 1},
                           {.name = "scale",
                            .defaultValue = 1.0,
                            .help = "Factor on the observed statistics; n / (n - 1) turns the "
                                    "biased variance into the unbiased one."}},
            .shape =
                [](ShapeInference& inference) {
                    if (haveOneShape(inference, 0, 1)) {
                        inference.output(0).shape = inference.shape(0);
                    }
                },
            .placement = "... + ... -> ...",
            .cost = [](const Signature& signature) { return batchNormPerElement(signature, 4); },
            .inPlace = {{0, 0}, {1, 0}},
            .samples = {{.inputs = {{7}, {7}}, .attributes = {{"momentum", 0.25}, {"scale", 1.5}}},
                        {.inputs = {{1}, {1}}}}};
}

} // namespace

void batch_norm(OpList& list) {
    list.add(batchNorm());
    list.add(batchNormInputGradient());
    list.add(batchNormScaleGradient());
    list.add(batchNormInference());
    list.add(channelMean());
    list.add(channelVariance());
    list.add(runningStatistics());
}

} // namespace weft::ops
