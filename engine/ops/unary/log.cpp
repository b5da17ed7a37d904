// SPDX-License-Identifier: Apache-2.0
// log, exp, square y = x^2 and reciprocal_root y = 1 / sqrt(x + epsilon), element by element
#include "ops/elementwise.h"

namespace weft::ops {

namespace {

Op elementwise(Op op, std::int64_t flops, bool isForPositive) {
    op.inputs = {{"x"}};
    op.outputs = {"y"};
    op.shape = likeFirst;
    op.placement = "~... -> ...";
    op.cost = perElement(flops);
    op.inPlace = {{0, 0}};
    op.samples = elementwiseSamples(1, isForPositive);
    return op;
}

/// dx = dy / x
void logGradient(Gradient& gradient) {
    gradient.set(0, gradient.add("divide", {gradient.dy(), gradient.input(0)}));
}

/// dx = dy y
void expGradient(Gradient& gradient) {
    gradient.set(0, gradient.add("multiply", {gradient.dy(), gradient.output()}));
}

/// dx = 2 dy x
void squareGradient(Gradient& gradient) {
    gradient.set(0, gradient.add("scale",
                                 {gradient.add("multiply", {gradient.dy(), gradient.input(0)})},
                                 {{"factor", 2.0}}));
}

/// dx = -1/2 dy y^3
void rootGradient(Gradient& gradient) {
    const ValueId cube =
        gradient.add("multiply", {gradient.add("square", {gradient.output()}), gradient.output()});
    gradient.set(0, gradient.add("scale", {gradient.add("multiply", {gradient.dy(), cube})},
                                 {{"factor", -0.5}}));
}

} // namespace

void log(OpList& list) {
    list.add(elementwise({.name = "log", .gradient = logGradient, .onnx = "Log"}, 8, true));
    list.add(elementwise({.name = "exp", .gradient = expGradient, .onnx = "Exp"}, 8, false));
    list.add(elementwise({.name = "square", .gradient = squareGradient}, 1, false));
    Op root = elementwise({.name = "reciprocal_root", .gradient = rootGradient}, 3, true);
    root.attributes = {{.name = "epsilon",
                        .defaultValue = 0.0,
                        .help = "Added before the square root for numerical stability."}};
    for (Sample& sample : root.samples) {
        sample.attributes = {{"epsilon", 0.01}};
    }
    list.add(std::move(root));
}

} // namespace weft::ops
