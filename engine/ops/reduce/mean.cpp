// SPDX-License-Identifier: Apache-2.0
// mean: y = sum of x / N, where N is the number of elements of the whole value, even if x is a
// part. sum_all: without the division. Their gradients give one number to every element:
// mean_gradient dx = dy / N, broadcast_all y = s.
#include "ops/elementwise.h"

namespace weft::ops {

namespace {

const std::vector<AttributeSpec> shapeAttribute = {
    {.name = "shape",
     .defaultValue = std::vector<std::int64_t>{},
     .help = "Shape of the result, over all devices."}};

void toScalar(ShapeInference& inference) { inference.output(0) = {inference.input(0).dtype, {}}; }

void fromScalar(ShapeInference& inference) {
    inference.output(0) = {inference.input(0).dtype, inference.attributes().integers("shape")};
    hasShape(inference, 0, {}, "the scalar");
}

Op reduction(const std::string& name, const std::string& help, const std::string& gradient,
             const std::string& onnx) {
    return {.name = name,
            .help = help,
            .inputs = {{"x"}},
            .outputs = {"y"},
            .shape = toScalar,
            .gradient =
                [gradient](Gradient& at) {
                    at.set(0, at.add(gradient, {at.dy()}, {{"shape", at.inputShape(0)}}));
                },
            .placement = "... -> ()",
            .cost = perElement(1),
            .samples = elementwiseSamples(1),
            .onnx = onnx};
}

Op broadcast(const std::string& name, const std::string& help, const std::string& gradient) {
    std::vector<Sample> samples;
    for (const Shape& shape : {Shape{4, 10}, Shape{1, 1}, Shape{7}, Shape{3, 17, 5}}) {
        samples.push_back({.inputs = {{}}, .attributes = {{"shape", shape}}});
    }
    return {.name = name,
            .help = help,
            .inputs = {{"dy"}},
            .outputs = {"dx"},
            .attributes = shapeAttribute,
            .shape = fromScalar,
            .gradient = [gradient](Gradient& at) { at.set(0, at.add(gradient, {at.dy()})); },
            .placement = "() -> ...",
            .cost = [](const Signature& s) { return Flops{s.outputs[0].elements()}; },
            .samples = samples};
}

} // namespace

void mean(OpList& list) {
    list.add(reduction("mean", "The mean of all elements.", "mean_gradient", "ReduceMean"));
    list.add(
        broadcast("mean_gradient", "Gradient of mean: dy / N for each of N elements.", "mean"));
    list.add(
        reduction("sum_all", "The sum of all elements of a value.", "broadcast_all", "ReduceSum"));
    list.add(broadcast("broadcast_all", "Gives one number to every element.", "sum_all"));
}

} // namespace weft::ops
