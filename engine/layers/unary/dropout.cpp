// SPDX-License-Identifier: Apache-2.0
// dropout: y = x mask / (1 - rate) while training
#include "layers/layer.h"

namespace weft::layers {

namespace {

void lowerDropout(Lowering& lowering) {
    const double rate = lowering.attributes().real("rate");
    ValueId y = lowering.input("x");
    if (lowering.mode() == Mode::train && rate > 0) {
        const std::string role = lowering.builder().role();
        lowering.builder().setRole("dropout");
        const ValueId step = lowering.builder().argument("step", DType::i64);
        y = lowering.add("dropout", {y, step}, {{"rate", rate}});
        lowering.builder().setRole(role);
    }
    lowering.output("y", y);
}

} // namespace

void dropout(LayerList& list) {
    list.add(
        {.info =
             {.kind = "dropout",
              .title = "Dropout",
              .category = "regularisation",
              .help =
                  "Dropout: in training, zeroes each element with probability rate and scales the "
                  "others by 1 / (1 - rate); in evaluation, the identity. The mask depends only on "
                  "seed, step and element, never on the assignment. PyTorch and ONNX: Dropout.",
              .synonyms = {"regularisation"},
              .inputs = {{.name = "x", .help = "any shape"}},
              .outputs = {{.name = "y", .help = "shape of x"}},
              .attributes = {{.name = "rate",
                              .defaultValue = 0.5,
                              .help = "Probability of dropping an element.",
                              .least = 0,
                              .most = 0.999}},
              .parameters = {}},
         .lower = lowerDropout,
         .samples = {{.inputs = {{4, 10}}},
                     {.inputs = {{2, 3, 5, 7}}, .attributes = {{"rate", 0.2}}}}});
}

} // namespace weft::layers
