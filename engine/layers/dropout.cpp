// SPDX-License-Identifier: Apache-2.0
// dropout: y = x mask / (1 - rate) while training
#include "layers/layer.h"

namespace weft::layers {

namespace {

void lowerDropout(Lowering& at) {
    const double rate = at.attributes().real("rate");
    ValueId y = at.input("x");
    if (at.mode() == Mode::train && rate > 0) {
        const std::string role = at.builder().role();
        at.builder().setRole("dropout");
        const ValueId step = at.builder().argument("step", DType::i64);
        y = at.add("dropout", {y, step}, {{"rate", rate}});
        at.builder().setRole(role);
    }
    at.output("y", y);
}

} // namespace

void dropout(LayerList& list) {
    list.add(
        {.info = {.kind = "dropout",
                  .title = "Dropout",
                  .category = "regularisation",
                  .help = "While training, sets each element to zero with probability rate and "
                          "divides the others by 1 - rate; otherwise hands on its input. What is "
                          "dropped depends on seed, step and element alone, not on how the work "
                          "is spread. PyTorch: Dropout.",
                  .synonyms = {"regularisation"},
                  .inputs = {{.name = "x", .help = "values of any shape"}},
                  .outputs = {{.name = "y", .help = "the same shape"}},
                  .attributes = {{.name = "rate",
                                  .fallback = 0.5,
                                  .help = "The share of elements that is dropped.",
                                  .least = 0,
                                  .most = 0.999}},
                  .parameters = {}},
         .lower = lowerDropout,
         .samples = {{.inputs = {{4, 10}}},
                     {.inputs = {{2, 3, 5, 7}}, .attributes = {{"rate", 0.2}}}}});
}

} // namespace weft::layers
