// SPDX-License-Identifier: Apache-2.0
// mse: y = sum of (x - target)^2 / N, N the whole count of elements
// mse_gradient: dx = 2 (x - target) dy / N; the target's gradient is its negative
#include "ops/elementwise.h"

namespace weft::ops {

namespace {

void mseShape(Inference& at) {
    at.output(0) = {at.input(0).dtype, {}};
    haveOneShape(at, 0, 1);
}

void gradientShape(Inference& at) {
    at.output(0) = at.input(0);
    if (haveOneShape(at, 0, 1)) {
        hasShape(at, 2, {}, "the loss's gradient");
    }
}

void differentiateMse(Gradient& at) {
    const ValueId dx = at.add("mse_gradient", {at.input(0), at.input(1), at.dy()});
    at.set(0, dx);
    if (at.wants(1)) {
        at.set(1, at.add("scale", {dx}, {{"factor", -1.0}}));
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
              .inputs = {{"x"}, {"target"}},
              .outputs = {"y"},
              .shape = mseShape,
              .gradient = differentiateMse,
              .placement = "~..., ~... -> ()",
              .cost = perElement(3),
              .samples = elementwiseSamples(2)});
    list.add(
        {.name = "mse_gradient",
         .inputs = {{"x"}, {"target"}, {"dy"}},
         .outputs = {"dx"},
         .shape = gradientShape,
         .placement = "~..., ~..., () -> ...",
         .cost = perElement(3),
         .inPlace = {{0, 0}, {1, 0}},
         .samples = mseGradientSamples(),
         .undeclaredRows = {"P, P, R -> P: linear in x and target at once, and what it belongs "
                            "to is not"}});
}

} // namespace weft::ops
