// SPDX-License-Identifier: Apache-2.0
// dropout: y = x / (1 - rate) where an element is kept, else 0. The choice is drawn from the random
// key of the request, the step and the element's index in the whole value. So it does not depend on
// the placement, and the gradient draws the same choice.
#include "ops/elementwise.h"

namespace weft::ops {

void dropout(OpList& list) {
    std::vector<Sample> samples = elementwiseSamples(1);
    for (Sample& sample : samples) {
        sample.inputs.emplace_back();
        sample.attributes = {{"rate", 0.3}};
    }
    list.add({.name = "dropout",
              .help = "Sets randomly chosen elements to 0 and divides the others by 1 - rate.",
              .inputs = {{"x"}, {"step", OperandType::integer}},
              .outputs = {"y"},
              .attributes = {{.name = "rate",
                              .defaultValue = 0.5,
                              .help = "Probability of dropping an element.",
                              .least = 0,
                              .most = 1}},
              .shape =
                  [](ShapeInference& inference) {
                      likeFirst(inference);
                      hasShape(inference, 1, {}, "the step");
                  },
              .gradient =
                  [](Gradient& gradient) {
                      gradient.set(0, gradient.add("dropout", {gradient.dy(), gradient.input(1)},
                                                   gradient.attributes()));
                  },
              .placement = "..., ~() -> ...",
              .cost = perElement(2),
              .inPlace = {{0, 0}},
              .samples = std::move(samples),
              .random = true,
              .onnx = "Dropout"});
}

} // namespace weft::ops
