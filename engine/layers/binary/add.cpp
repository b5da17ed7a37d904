// SPDX-License-Identifier: Apache-2.0
// The layer add: y = x0 + x1 + ...
#include "layers/binary/sum.h"

#include <algorithm>

namespace weft::layers {

namespace {

void lowerAdd(Lowering& lowering) {
    const std::vector<ValueId> terms = lowering.inputs();
    const Shape first = lowering.shape(terms.front());
    ValueId sum = terms.front();
    if (std::ranges::all_of(terms, [&](ValueId term) { return lowering.shape(term) == first; })) {
        sum = lowering.add("add", terms);
    } else {
        for (std::size_t k = 1; k < terms.size(); ++k) {
            sum = broadcastSum(lowering, sum, terms[k]);
        }
    }
    const double number = lowering.attributes().real("number");
    lowering.output("y",
                    number == 0 ? sum : lowering.add("add_number", {sum}, {{"number", number}}));
}

} // namespace

void add(LayerList& list) {
    list.add(
        {.info = {.kind = "add",
                  .title = "Add",
                  .category = "combine",
                  .help = "Elementwise sum of any number of inputs, for example at the end of a "
                          "residual connection. Inputs of equal shape, or broadcast as in "
                          "numpy: after the batch, dims of size 1 are repeated and missing "
                          "first dims are added. PyTorch: add; ONNX: Add, Sum.",
                  .synonyms = {"plus", "sum", "residual", "skip"},
                  .inputs = {{.name = "x", .help = "any number of wires", .variadic = true}},
                  .outputs = {{.name = "y", .help = "the sum"}},
                  .attributes = {{.name = "number",
                                  .defaultValue = 0.0,
                                  .help = "Number to add to each element, besides."}},
                  .parameters = {}},
         .lower = lowerAdd,
         .samples = {{.inputs = {{4, 10}, {4, 10}}},
                     {.inputs = {{2, 3, 5, 7}, {2, 3, 5, 7}, {2, 3, 5, 7}}},
                     {.inputs = {{2, 3, 5, 7}, {2, 3, 1, 1}}, .attributes = {{"number", 0.5}}}}});
}

} // namespace weft::layers
