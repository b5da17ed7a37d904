// SPDX-License-Identifier: Apache-2.0
// mse: y = sum of (x - target)^2 / N, N the number of elements of the whole value
// mse_gradient: dx = 2 (x - target) dy / N; the target's gradient is its negative
#include "ops/elementwise.h"

namespace weft::ops {

namespace {

void mseShape(ShapeInference& inference) {
    inference.output(0) = {inference.input(0).dtype, {}};
    haveOneShape(inference, 0, 1);
}

void gradientShape(ShapeInference& inference) {
    inference.output(0) = inference.input(0);
    if (haveOneShape(inference, 0, 1)) {
        hasShape(inference, 2, {}, "the loss's gradient");
    }
}

void differentiateMse(Gradient& gradient) {
    const ValueId dx =
        gradient.add("mse_gradient", {gradient.input(0), gradient.input(1), gradient.dy()});
    gradient.set(0, dx);
    if (gradient.needsGradient(1)) {
        gradient.set(1, gradient.add("scale", {dx}, {{"factor", -1.0}}));
    }
}

std::vector<Sample> mseGradientSamples() {
    std::vector<Sample> samples = elementwiseSamples(2);
    for (Sample& sample : samples) {
        sample.inputs.emplace_back();
    }
    return samples;
}

} // namespace

void mse(OpList& list) {
    list.add({.name = "mse",
              .help = "Mean squared error: the mean of (x - target)^2 over all elements.",
              .inputs = {{"x"}, {"target"}},
              .outputs = {"y"},
              .shape = mseShape,
              .gradient = differentiateMse,
              .placement = "~..., ~... -> ()",
              .cost = perElement(3),
              .samples = elementwiseSamples(2)});
    list.add({.name = "mse_gradient",
              .help = "Gradient of mse: dx = 2 (x - target) dy / N, with N elements.",
              .inputs = {{"x"}, {"target"}, {"dy"}},
              .outputs = {"dx"},
              .shape = gradientShape,
              .placement = "~..., ~..., () -> ...",
              .cost = perElement(3),
              .inPlace = {{0, 0}, {1, 0}},
              .samples = mseGradientSamples(),
              .undeclaredRows = {"P, P, R -> P: the gradient is linear in x and target together, "
                                 "but the loss is not"}});
}

} // namespace weft::ops
