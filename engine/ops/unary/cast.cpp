// SPDX-License-Identifier: Apache-2.0
// cast: y = x in another element type, rounded to nearest; integers are truncated. A Partial value
// passes only if nothing is lost.
#include "ops/elementwise.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

void castShape(ShapeInference& inference) {
    const std::string& name = inference.attributes().text("dtype");
    const auto dtype = dtypeNamed(name);
    if (!dtype) {
        inference.refuse(fmt::format(
            "there is no element type {}; use f32, f64, bf16, f16, i32, i64 or u8", name));
        return;
    }
    inference.output(0) = {*dtype, inference.shape(0)};
}

std::string castPlacement(const Signature& s) {
    const DType from = s.inputs[0].dtype;
    const DType to = s.outputs[0].dtype;
    const bool isWidening = isFloating(from) && isFloating(to) && byteSize(to) > byteSize(from);
    return from == to || isWidening ? "... -> ..." : "~... -> ...";
}

void differentiateCast(Gradient& gradient) {
    const DType from = gradient.inputType(0);
    if (isFloating(from)) {
        gradient.set(0,
                     gradient.add("cast", {gradient.dy()}, {{"dtype", std::string(nameOf(from))}}));
    }
}

} // namespace

void cast(OpList& list) {
    // Rounding has no derivative, so the values of these samples are not rounded.
    std::vector<Sample> samples = elementwiseSamples(1);
    for (Sample& sample : samples) {
        sample.attributes = {{"dtype", std::string("f64")}};
    }
    list.add({.name = "cast",
              .help = "Converts x to another element type: rounded to nearest between "
                      "floating-point types, truncated towards 0 to integers.",
              .inputs = {{"x", OperandType::any}},
              .outputs = {"y"},
              .attributes = {{.name = "dtype",
                              .defaultValue = std::string("f32"),
                              .help = "Element type of the result."}},
              .shape = castShape,
              .gradient = differentiateCast,
              .placementOf = castPlacement,
              .cost = perElement(0),
              .samples = std::move(samples),
              .onnx = "Cast"});
}

} // namespace weft::ops
