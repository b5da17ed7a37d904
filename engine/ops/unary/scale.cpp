// SPDX-License-Identifier: Apache-2.0
// scale: y = factor x. scale_by: y = s x with a number s that is itself a value; ds = sum of dy x.
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
    list.add({.name = "scale",
              .help = "y = factor x, with a constant factor.",
              .inputs = {{"x"}},
              .outputs = {"y"},
              .attributes = {{.name = "factor", .defaultValue = 1.0, .help = "The factor on x."}},
              .shape = likeFirst,
              .gradient =
                  [](Gradient& gradient) {
                      gradient.set(0,
                                   gradient.add("scale", {gradient.dy()}, gradient.attributes()));
                  },
              .placement = "... -> ...",
              .cost = perElement(1),
              .inPlace = {{0, 0}},
              .samples = scaleSamples(),
              .onnx = "Mul"});
    list.add(
        {.name = "scale_by",
         .help = "y = s x, with a number s that is computed.",
         .inputs = {{"x"}, {"s"}},
         .outputs = {"y"},
         .shape =
             [](ShapeInference& inference) {
                 likeFirst(inference);
                 hasShape(inference, 1, {}, "the factor");
             },
         .gradient =
             [](Gradient& gradient) {
                 if (gradient.needsGradient(0)) {
                     gradient.set(0, gradient.add("scale_by", {gradient.dy(), gradient.input(1)}));
                 }
                 if (gradient.needsGradient(1)) {
                     gradient.set(1, gradient.add("sum_all",
                                                  {gradient.add("multiply", {gradient.dy(),
                                                                             gradient.input(0)})}));
                 }
             },
         .placement = "..., () -> ...",
         .cost = perElement(1),
         .inPlace = {{0, 0}},
         .samples = scaleBySamples(),
         .onnx = "Mul"});
}

} // namespace weft::ops
