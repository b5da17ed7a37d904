// SPDX-License-Identifier: Apache-2.0
#include "halved_cases.h"

#include <array>

namespace weft::test {

namespace {

using List = std::vector<std::int64_t>;

/// From -1 to 1.
Tensor drawSmall(const Shape& shape, const std::string& role) {
    Tensor numbers = drawIntegers(DType::f32, shape, 3, 1, role);
    for (std::int64_t k = 0; k < numbers.elements(); ++k) {
        numbers.set(k, numbers.at(k) - 1);
    }
    return numbers;
}

CaseBeside caseOf(Oracle& reference, const std::string& op, const Attributes& attributes,
                  const std::vector<Shape>& operands, const Shape& result) {
    KernelCase held{.local = {op, {}, {wholePart(DType::f32, result)}, {}},
                    .attributes = attributes,
                    .results = {}};
    for (const Shape& shape : operands) {
        held.local.inputs.push_back(wholePart(DType::f32, shape));
        held.local.numbers.push_back(drawSmall(shape, std::to_string(held.local.inputs.size())));
    }
    held.results =
        reference.run(op, attributes, held.local.numbers, held.local.inputs, held.local.outputs);
    return {std::move(held)};
}

/// max(0, x w + bias), which halves hold too.
CaseBeside endedCase(Oracle& reference, const std::string& op, const Attributes& attributes,
                     const Shape& x, const Shape& w, const Shape& y) {
    const Shape channels{w[0]};
    CaseBeside ended = caseOf(reference, op, attributes, {x, w}, y);
    KernelCase& held = ended.held;
    held.local.inputs.push_back(wholePart(DType::f32, channels));
    held.local.numbers.push_back(drawSmall(channels, "bias"));
    const TensorPart part = wholePart(DType::f32, y);
    const Attributes along{{"dim", std::int64_t{1}}};
    const auto& [ofX, ofW, ofBias] =
        std::array{held.local.inputs[0], held.local.inputs[1], held.local.inputs[2]};
    GroupBody body;
    body.members = {requestOf(op, attributes, {ofX, ofW}, {part}),
                    requestOf("bias_add", along, {part, ofBias}, {part}),
                    requestOf("relu", {}, {part}, {part})};
    body.reads = {{0, 1}, {-1, 2}, {-2}};
    body.writes = {{-1}, {-1}, {0}};
    const auto biased = reference.run("bias_add", along, {held.results[0], held.local.numbers[2]},
                                      {part, ofBias}, {part});
    held.results = reference.run("relu", {}, biased, {part}, {part});
    ended.body = std::make_shared<const GroupBody>(std::move(body));
    return ended;
}

} // namespace

std::string rounded(const std::string& op, Precision precision) {
    return op + " in " + std::string(nameOf(precision));
}

std::map<std::string, std::vector<CaseBeside>> halvedCases(Oracle& reference) {
    const Attributes windows{{"stride", List{1, 1}},
                             {"padding", List{1, 1, 1, 1}},
                             {"dilation", List{1, 1}},
                             {"groups", std::int64_t{1}}};
    Attributes sized = windows;
    sized.set("size", List{9, 5});
    Attributes kernel = windows;
    kernel.set("kernel", List{3, 3});
    const Shape x{2, 35, 9, 5};
    const Shape w{4, 35, 3, 3};
    const Shape y{2, 4, 9, 5};
    const auto halved = [](const std::string& op) { return rounded(op, Precision::bf16); };
    return {
        {halved("conv2d"),
         {caseOf(reference, "conv2d", windows, {x, w}, y),
          caseOf(reference, "conv2d", windows, {{1, 1, 9, 5}, {3, 1, 3, 3}}, {1, 3, 9, 5})}},
        {halved("conv2d_dx"), {caseOf(reference, "conv2d_dx", sized, {y, w}, x)}},
        {halved("conv2d_dw"), {caseOf(reference, "conv2d_dw", kernel, {x, y}, w)}},
        {halved("linear"), {caseOf(reference, "linear", {}, {{12, 40}, {24, 40}}, {12, 24})}},
        {halved("linear+bias_add+relu"),
         {endedCase(reference, "linear", {}, {12, 40}, {24, 40}, {12, 24})}},
        {halved("conv2d+bias_add+relu"),
         {endedCase(reference, "conv2d", windows, {1, 2, 4, 3}, {3, 2, 3, 3}, {1, 3, 4, 3})}},
        {halved("linear_dx"), {caseOf(reference, "linear_dx", {}, {{12, 24}, {24, 40}}, {12, 40})}},
        {halved("linear_dw"),
         {caseOf(reference, "linear_dw", {}, {{12, 24}, {12, 40}}, {24, 40})}}};
}

} // namespace weft::test
