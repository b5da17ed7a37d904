// SPDX-License-Identifier: Apache-2.0
// scale: y = factor x. scale_by: y = s x with a number s that is a value itself;
// ds = sum of dy x.
#include "ops/elementwise.h"

namespace weft::ops {

namespace {

std::vector<Sample> scaleSamples() {
    std::vector<Sample> samples = elementwiseSamples(1);
    samples.push_back({.inputs = {{}}});
    for (Sample& sample : samples) {
        sample.attributes = {{"factor", -0.75}};
    }
    return samples;
}

std::vector<Sample> scaleBySamples() {
    std::vector<Sample> samples = elementwiseSamples(1);
    for (Sample& sample : samples) {
        sample.inputs.emplace_back();
    }
    return samples;
}

} // namespace

void scale(OpList& list) {
    list.add(
        {.name = "scale",
         .inputs = {{"x"}},
         .outputs = {"y"},
         .attributes = {{.name = "factor", .defaultValue = 1.0, .help = "Factor."}},
         .shape = likeFirst,
         .gradient = [](Gradient& at) { at.set(0, at.add("scale", {at.dy()}, at.attributes())); },
         .placement = "... -> ...",
         .cost = perElement(1),
         .inPlace = {{0, 0}},
         .samples = scaleSamples(),
         .onnx = "Mul"});
    list.add(
        {.name = "scale_by",
         .inputs = {{"x"}, {"s"}},
         .outputs = {"y"},
         .shape =
             [](Inference& at) {
                 likeFirst(at);
                 hasShape(at, 1, {}, "the factor");
             },
         .gradient =
             [](Gradient& at) {
                 if (at.wants(0)) {
                     at.set(0, at.add("scale_by", {at.dy(), at.input(1)}));
                 }
                 if (at.wants(1)) {
                     at.set(1, at.add("sum_all", {at.add("multiply", {at.dy(), at.input(0)})}));
                 }
             },
         .placement = "..., () -> ...",
         .cost = perElement(1),
         .inPlace = {{0, 0}},
         .samples = scaleBySamples(),
         .onnx = "Mul"});
}

} // namespace weft::ops
