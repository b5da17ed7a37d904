// SPDX-License-Identifier: Apache-2.0
// Per channel (dim 1): mean and biased variance over all else, y = gamma (x - mean) / sqrt(variance
// + epsilon) + beta. dx = gamma / sqrt(variance + epsilon) (dy - dbeta / n - xhat dgamma / n), with
// n the whole count. To split examples or positions, the statistics are taken in two passes: mean,
// then centred squares.
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

/// [batch, channels] with any positions after them.
bool hasChannels(Inference& at, std::string_view name) {
    const std::size_t rank = at.shape(0).size();
    if (rank >= 2 && rank <= 5) {
        return true;
    }
    at.refuse(fmt::format("{} is {}; batch_norm takes [batch, channels] or [batch, channels, rows, "
                          "columns]",
                          name, toString(at.shape(0))));
    return false;
}

/// True when inputs [first, last) are one number per channel.
bool arePerChannel(Inference& at, std::size_t first, std::size_t last) {
    const Shape channels{at.shape(0)[1]};
    for (std::size_t k = first; k < last; ++k) {
        if (!hasShape(at, k, channels, "a number per channel")) {
            return false;
        }
    }
    return true;
}

std::string batchNormLetters(const Signature& at) {
    return lettersWith(at.inputs[0].shape.size(), 1, "c");
}

/// The same letters with all but the channel whole: "b! c y! x!".
std::string wholeLettersOf(const Signature& at) {
    std::string text;
    for (const char letter : batchNormLetters(at)) {
        text += letter;
        if (letter != ' ' && letter != 'c') {
            text += '!';
        }
    }
    return text;
}

Flops batchNormPerElement(const Signature& at, std::int64_t flops) {
    return {flops * at.inputs[0].elements()};
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

void expandBatchNorm(Expansion& at) {
    const ValueId x = at.input(0);
    const ValueId mean = at.add("channel_mean", {x});
    const ValueId variance = at.add("channel_variance", {x, mean});
    at.set(0, at.add("batch_norm_inference", {x, mean, variance, at.input(1), at.input(2)},
                     at.attributes()));
    at.set(1, mean);
    at.set(2, variance);
}

void differentiateBatchNorm(Gradient& at) {
    const ValueId x = at.input(0);
    const ValueId mean = at.output(1);
    const ValueId variance = at.output(2);
    const std::vector<ValueId> sums =
        at.addAll("batch_norm_dgamma", {x, mean, variance, at.dy()}, at.attributes());
    const ValueId dgamma = sums[0];
    const ValueId dbeta = sums[1];
    if (at.wants(0)) {
        at.set(0, at.add("batch_norm_dx", {x, mean, variance, at.input(1), at.dy(), dgamma, dbeta},
                         at.attributes()));
    }
    at.set(1, dgamma);
    at.set(2, dbeta);
}

Op batchNorm() {
    return {.name = "batch_norm",
            .inputs = {{"x"}, {"gamma"}, {"beta"}},
            .outputs = {"y", "mean", "variance"},
            .attributes = {batchNormEpsilonAttribute()},
            .shape =
                [](Inference& at) {
                    if (hasChannels(at, "input") && arePerChannel(at, 1, 3)) {
                        at.output(0).shape = at.shape(0);
                        at.output(1).shape = at.output(2).shape = {at.shape(0)[1]};
                    }
                },
            .gradient = differentiateBatchNorm,
            .placementOf =
                [](const Signature& at) {
                    return fmt::format("~{0}, c + c -> {0}; ~{0}, _ + _ -> c, c",
                                       wholeLettersOf(at));
                },
            .expand = expandBatchNorm,
            .cost = [](const Signature& at) { return batchNormPerElement(at, 7); },
            .inPlace = {{0, 0}},
            .samples = batchNormSamples({{5, 3, 4, 7}, {2, 1, 1, 1}, {9, 17}, {3, 5, 1, 3}},
                                        [](const Shape& x) {
                                            return std::vector<Shape>{x, {x[1]}, {x[1]}};
                                        }),
            .onnx = "BatchNormalization"};
}

Op batchNormInputGradient() {
    Op op{
        .name = "batch_norm_dx",
        .inputs = {{"x"}, {"mean"}, {"variance"}, {"gamma"}, {"dy"}, {"dgamma"}, {"dbeta"}},
        .outputs = {"dx"},
        .attributes = {batchNormEpsilonAttribute()},
        .shape =
            [](Inference& at) {
                if (hasChannels(at, "input") && arePerChannel(at, 1, 4) && haveOneShape(at, 0, 4) &&
                    arePerChannel(at, 5, 7)) {
                    at.output(0).shape = at.shape(0);
                }
            },
        .placementOf =
            [](const Signature& at) {
                return fmt::format("~{0}, ~c, ~c, c, [{0} + c + c] -> {0}", batchNormLetters(at));
            },
        .cost = [](const Signature& at) { return batchNormPerElement(at, 7); },
        .inPlace = {{0, 0}, {4, 0}},
        .undeclaredRows = {"P, P, R, R, P, R, P -> P: linear in x, mean, dy and dbeta at once, but "
                           "the norm that saved mean and variance had x whole"}};
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

/// dgamma = sum of dy xhat and dbeta = sum of dy, in one pass over both.
Op batchNormScaleGradient() {
    Op op{.name = "batch_norm_dgamma",
          .inputs = {{"x"}, {"mean"}, {"variance"}, {"dy"}},
          .outputs = {"dgamma", "dbeta"},
          .attributes = {batchNormEpsilonAttribute()},
          .shape =
              [](Inference& at) {
                  if (hasChannels(at, "input") && arePerChannel(at, 1, 3) &&
                      haveOneShape(at, 0, 3)) {
                      at.output(0).shape = at.output(1).shape = {at.shape(0)[1]};
                  }
              },
          .placementOf =
              [](const Signature& at) {
                  return fmt::format("[{0} + c], ~c, {0} -> c; [_ + _], _, {0} -> c",
                                     batchNormLetters(at));
              },
          .cost = [](const Signature& at) { return batchNormPerElement(at, 4); }};
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
            .inputs = {{"x"}, {"mean"}, {"variance"}, {"gamma"}, {"beta"}},
            .outputs = {"y"},
            .attributes = {batchNormEpsilonAttribute()},
            .shape =
                [](Inference& at) {
                    if (hasChannels(at, "input") && arePerChannel(at, 1, 5)) {
                        at.output(0).shape = at.shape(0);
                    }
                },
            .placementOf =
                [](const Signature& at) {
                    return fmt::format("[{0} + c], ~c, c + c -> {0}", batchNormLetters(at));
                },
            .cost = [](const Signature& at) { return batchNormPerElement(at, 4); },
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
            .inputs = {{"x"}},
            .outputs = {"mean"},
            .shape =
                [](Inference& at) {
                    if (hasChannels(at, "input")) {
                        at.output(0).shape = {at.shape(0)[1]};
                    }
                },
            .placementOf =
                [](const Signature& at) { return fmt::format("{} -> c", batchNormLetters(at)); },
            .cost = [](const Signature& at) { return batchNormPerElement(at, 1); },
            .samples = batchNormSamples({{5, 3, 4, 7}, {2, 1, 1, 1}, {9, 17}},
                                        [](const Shape& x) { return std::vector<Shape>{x}; })};
}

Op channelVariance() {
    return {
        .name = "channel_variance",
        .inputs = {{"x"}, {"mean"}},
        .outputs = {"variance"},
        .shape =
            [](Inference& at) {
                if (hasChannels(at, "input") && arePerChannel(at, 1, 2)) {
                    at.output(0).shape = {at.shape(0)[1]};
                }
            },
        .placementOf =
            [](const Signature& at) { return fmt::format("~{}, ~c -> c", batchNormLetters(at)); },
        .cost = [](const Signature& at) { return batchNormPerElement(at, 3); },
        .samples = batchNormSamples({{5, 3, 4, 7}, {2, 1, 1, 1}, {9, 17}}, [](const Shape& x) {
            return std::vector<Shape>{x, {x[1]}};
        })};
}

Op runningStatistics() {
    return {.name = "running_statistics",
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
                [](Inference& at) {
                    if (haveOneShape(at, 0, 1)) {
                        at.output(0).shape = at.shape(0);
                    }
                },
            .placement = "... + ... -> ...",
            .cost = [](const Signature& at) { return batchNormPerElement(at, 4); },
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
