// SPDX-License-Identifier: Apache-2.0
// Combines one number per row with the whole row: exp_minus y = exp(x - s), divide_rows y = x / s,
// subtract_rows y = x - s, multiply_rows y = x s. Used by expansions.
#include "ops/elementwise.h"

namespace weft::ops {

namespace {

void expMinusShape(ShapeInference& inference) {
    if (hasDims(inference, 0, "expected at least one dim")) {
        likeFirst(inference);
        hasShape(inference, 1, withoutLast(inference.shape(0)),
                 "the operand with one number per row");
    }
}

Op perRow(Op op, std::int64_t flops) {
    op.inputs = {{"x"}, {"s"}};
    op.outputs = {"y"};
    op.shape = expMinusShape;
    op.cost = perElement(flops);
    op.inPlace = {{0, 0}};
    op.samples = {{.inputs = {{4, 10}, {4}}, .positive = true},
                  {.inputs = {{1, 1}, {1}}, .positive = true},
                  {.inputs = {{7}, {}}, .positive = true},
                  {.inputs = {{3, 5, 17}, {3, 5}}, .positive = true}};
    return op;
}

} // namespace

void exp_minus(OpList& list) {
    list.add(perRow({.name = "exp_minus",
                     .help = "y = exp(x - s), with one number s for each row.",
                     .placement = "~... d, ~... -> ... d"},
                    2));
    list.add(perRow({.name = "divide_rows",
                     .help = "y = x / s, with one number s for each row.",
                     .placement = "... d, ~... -> ... d"},
                    1));
    list.add(perRow({.name = "subtract_rows",
                     .help = "y = x - s, with one number s for each row.",
                     .placement = "... d + ... -> ... d"},
                    1));
    list.add(perRow({.name = "multiply_rows",
                     .help = "y = x s, with one number s for each row.",
                     .placement = "... d, ... -> ... d"},
                    1));
}

} // namespace weft::ops
