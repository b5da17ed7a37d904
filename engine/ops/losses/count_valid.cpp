// SPDX-License-Identifier: Apache-2.0
// count_valid: the number of targets that are not `ignore`, as a floating-point number: the divisor
// of a mean over the examples that count. zero_ignored: y = x, or 0 in rows whose target is
// `ignore`.
#include "ops/elementwise.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

const AttributeSpec ignoreSpec = {
    .name = "ignore", .defaultValue = std::int64_t{-100}, .help = "Target value to ignore."};

void countShape(ShapeInference& inference) {
    const std::string& name = inference.attributes().text("dtype");
    const auto dtype = dtypeNamed(name);
    if (!dtype || !isFloating(*dtype)) {
        inference.refuse(fmt::format("{} is not a floating-point type; use f32", name));
        return;
    }
    inference.output(0) = {*dtype, {}};
}

} // namespace

void count_valid(OpList& list) {
    list.add({.name = "count_valid",
              .help = "The number of targets that are not ignored.",
              .inputs = {{"target", OperandType::integer}},
              .outputs = {"count"},
              .attributes = {ignoreSpec,
                             {.name = "dtype",
                              .defaultValue = std::string("f32"),
                              .help = "Element type of the count."}},
              .shape = countShape,
              .placement = "~... -> ()",
              .cost = perElement(1),
              .samples = {{.inputs = {{7}}, .attributes = {{"ignore", std::int64_t{2}}}},
                          {.inputs = {{1}}},
                          {.inputs = {{3, 5}},
                           .attributes = {{"ignore", std::int64_t{0}}},
                           .integersBelow = 2,
                           .dtypes = {DType::i32}}}});
    list.add({.name = "zero_ignored",
              .help = "y = x, with 0 in the rows whose target is ignored.",
              .inputs = {{"x"}, {"target", OperandType::integer}},
              .outputs = {"y"},
              .attributes = {ignoreSpec},
              .shape = allEqual,
              .placement = "..., ~... -> ...",
              .cost = perElement(0),
              .inPlace = {{0, 0}},
              .samples = {{.inputs = {{7}, {7}}, .attributes = {{"ignore", std::int64_t{2}}}},
                          {.inputs = {{1}, {1}}},
                          {.inputs = {{3, 5}, {3, 5}},
                           .attributes = {{"ignore", std::int64_t{0}}},
                           .integersBelow = 2,
                           .dtypes = {DType::i32}}}});
}

} // namespace weft::ops
