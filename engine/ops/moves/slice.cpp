// SPDX-License-Identifier: Apache-2.0
// slice: positions [begin, end) of a dim that stays whole. pad: adds zeros before and after. Each
// is the gradient of the other.
#include "ops/elementwise.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

const AttributeSpec dimSpec = {
    .name = "dim", .defaultValue = std::int64_t{0}, .help = "Dim to slice or pad; -1 is the last."};

void sliceShape(ShapeInference& inference) {
    const int dim = dimOrRefusal(inference, 0);
    if (dim < 0) {
        return;
    }
    const std::int64_t begin = inference.attributes().integer("begin");
    const std::int64_t end = inference.attributes().integer("end");
    Shape shape = inference.shape(0);
    std::int64_t& size = shape[static_cast<std::size_t>(dim)];
    if (begin < 0 || begin >= end || end > size) {
        inference.refuse(fmt::format("input is {}, which has no positions {} to {} in dim {}",
                                     toString(inference.shape(0)), begin, end, dim));
        return;
    }
    size = end - begin;
    inference.output(0) = {inference.input(0).dtype, shape};
}

void padShape(ShapeInference& inference) {
    const int dim = dimOrRefusal(inference, 0);
    if (dim < 0) {
        return;
    }
    Shape shape = inference.shape(0);
    shape[static_cast<std::size_t>(dim)] +=
        inference.attributes().integer("before") + inference.attributes().integer("after");
    inference.output(0) = {inference.input(0).dtype, shape};
}

/// "b u! y x -> b v! y x"
std::string slicePlacement(const Signature& s) {
    std::vector<std::string> letters = dimLetters(s.inputs[0].shape.size());
    const auto dim = static_cast<std::size_t>(dimOf(s.attributes, letters.size()));
    letters[dim] = "u!";
    const std::string from = joined(letters);
    letters[dim] = "v!";
    return from + " -> " + joined(letters);
}

void sliceGradient(Gradient& gradient) {
    const int dim = dimOf(gradient.attributes(), gradient.inputShape(0).size());
    const std::int64_t size = gradient.inputShape(0)[static_cast<std::size_t>(dim)];
    gradient.set(0, gradient.add("pad", {gradient.dy()},
                                 {{"dim", std::int64_t{dim}},
                                  {"before", gradient.attributes().integer("begin")},
                                  {"after", size - gradient.attributes().integer("end")}}));
}

void padGradient(Gradient& gradient) {
    const int dim = dimOf(gradient.attributes(), gradient.inputShape(0).size());
    const std::int64_t before = gradient.attributes().integer("before");
    const std::int64_t size = gradient.inputShape(0)[static_cast<std::size_t>(dim)];
    gradient.set(
        0, gradient.add("slice", {gradient.dy()},
                        {{"dim", std::int64_t{dim}}, {"begin", before}, {"end", before + size}}));
}

Attributes along(std::int64_t dim, const char* first, std::int64_t a, const char* second,
                 std::int64_t b) {
    return {{"dim", dim}, {first, a}, {second, b}};
}

} // namespace

void slice(OpList& list) {
    list.add(
        {.name = "slice",
         .help = "The positions from begin to end of one dim.",
         .inputs = {{"x", OperandType::any}},
         .outputs = {"y"},
         .attributes = {dimSpec,
                        {.name = "begin", .defaultValue = std::int64_t{0}, .help = "First index."},
                        {.name = "end",
                         .defaultValue = std::int64_t{1},
                         .help = "Index after the last."}},
         .shape = sliceShape,
         .gradient = sliceGradient,
         .placementOf = slicePlacement,
         .cost = [](const Signature&) { return Flops{}; },
         .samples = {{.inputs = {{9, 4}}, .attributes = along(0, "begin", 2, "end", 7)},
                     {.inputs = {{5}}, .attributes = along(0, "begin", 4, "end", 5)},
                     {.inputs = {{3, 7, 5}}, .attributes = along(-1, "begin", 0, "end", 2)},
                     {.inputs = {{2, 6, 3, 5}}, .attributes = along(1, "begin", 1, "end", 6)}},
         .onnx = "Slice"});
    list.add(
        {.name = "pad",
         .help = "Adds zeros before and after the positions of one dim.",
         .inputs = {{"x"}},
         .outputs = {"y"},
         .attributes = {dimSpec,
                        {.name = "before",
                         .defaultValue = std::int64_t{0},
                         .help = "Number of zeros before the first position.",
                         .least = 0},
                        {.name = "after",
                         .defaultValue = std::int64_t{0},
                         .help = "Number of zeros after the last position.",
                         .least = 0}},
         .shape = padShape,
         .gradient = padGradient,
         .placementOf = slicePlacement,
         .cost = [](const Signature&) { return Flops{}; },
         .samples = {{.inputs = {{5, 4}}, .attributes = along(0, "before", 2, "after", 3)},
                     {.inputs = {{1}}, .attributes = along(0, "before", 0, "after", 4)},
                     {.inputs = {{3, 7, 5}}, .attributes = along(-1, "before", 1, "after", 0)},
                     {.inputs = {{2, 3, 3, 5}}, .attributes = along(1, "before", 1, "after", 1)}},
         .onnx = "Pad"});
}

} // namespace weft::ops
