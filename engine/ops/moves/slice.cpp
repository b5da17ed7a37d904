// SPDX-License-Identifier: Apache-2.0
// slice: positions of a dim that stays whole, from begin to end in steps. pad: the positions of x
// apart from each other in steps, with a number between, before and after. Each is the gradient of
// the other.
#include "ops/elementwise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace weft::ops {

namespace {

const AttributeSpec dimSpec = {
    .name = "dim", .defaultValue = std::int64_t{0}, .help = "Dim to slice or pad; -1 is the last."};
const AttributeSpec stepSpec = {
    .name = "step",
    .defaultValue = std::int64_t{1},
    .help = "Distance of neighbouring positions; below 0: in reverse order."};

/// Positions begin, begin + step, ... before `end`.
struct Positions {
    std::int64_t begin, end, step;

    explicit Positions(const Attributes& attributes)
        : begin(attributes.integer("begin")),
          end(attributes.integer("end")),
          step(attributes.integer("step")) {}

    [[nodiscard]] std::int64_t count() const {
        return step > 0 ? (end - begin + step - 1) / step : (begin - end - step - 1) / -step;
    }
    [[nodiscard]] std::int64_t last() const { return begin + (count() - 1) * step; }
    /// True if there is a position, and a dim of this size has all of them.
    [[nodiscard]] bool areIn(std::int64_t size) const {
        return step > 0   ? begin >= 0 && begin < end && end <= size
               : step < 0 ? begin < size && end < begin && end >= -1
                          : false;
    }
};

void sliceShape(ShapeInference& inference) {
    const int dim = dimOrRefusal(inference, 0);
    if (dim < 0) {
        return;
    }
    const Positions positions(inference.attributes());
    Shape shape = inference.shape(0);
    std::int64_t& size = shape[static_cast<std::size_t>(dim)];
    if (!positions.areIn(size)) {
        inference.refuse(fmt::format(
            "input is {}, which has no positions {} to {} in steps of {} in dim {}",
            toString(inference.shape(0)), positions.begin, positions.end, positions.step, dim));
        return;
    }
    size = positions.count();
    inference.output(0) = {inference.input(0).dtype, shape};
}

void padShape(ShapeInference& inference) {
    const int dim = dimOrRefusal(inference, 0);
    if (dim < 0) {
        return;
    }
    const std::int64_t step = inference.attributes().integer("step");
    if (step == 0) {
        inference.refuse("step is 0; positions are at least 1 apart");
        return;
    }
    Shape shape = inference.shape(0);
    std::int64_t& size = shape[static_cast<std::size_t>(dim)];
    size = (size - 1) * std::abs(step) + 1 + inference.attributes().integer("before") +
           inference.attributes().integer("after");
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

/// A number is added to every element of a Partial value, so it does not pass.
std::string padPlacement(const Signature& s) {
    return (s.attributes.real("value") == 0 ? "" : "~") + slicePlacement(s);
}

void sliceGradient(Gradient& gradient) {
    const int dim = dimOf(gradient.attributes(), gradient.inputShape(0).size());
    const std::int64_t size = gradient.inputShape(0)[static_cast<std::size_t>(dim)];
    const Positions positions(gradient.attributes());
    const std::int64_t first = std::min(positions.begin, positions.last());
    const std::int64_t last = std::max(positions.begin, positions.last());
    gradient.set(0, gradient.add("pad", {gradient.dy()},
                                 {{"dim", std::int64_t{dim}},
                                  {"before", first},
                                  {"after", size - 1 - last},
                                  {"step", positions.step}}));
}

void padGradient(Gradient& gradient) {
    const int dim = dimOf(gradient.attributes(), gradient.inputShape(0).size());
    const std::int64_t before = gradient.attributes().integer("before");
    const std::int64_t step = gradient.attributes().integer("step");
    const std::int64_t size = gradient.inputShape(0)[static_cast<std::size_t>(dim)];
    const std::int64_t last = before + (size - 1) * std::abs(step);
    gradient.set(0, gradient.add("slice", {gradient.dy()},
                                 {{"dim", std::int64_t{dim}},
                                  {"begin", step > 0 ? before : last},
                                  {"end", step > 0 ? last + 1 : before - 1},
                                  {"step", step}}));
}

Attributes along(std::int64_t dim, const char* first, std::int64_t a, const char* second,
                 std::int64_t b, std::int64_t step = 1) {
    return {{"dim", dim}, {first, a}, {second, b}, {"step", step}};
}

Attributes with(Attributes attributes, double value) {
    attributes.set("value", value);
    return attributes;
}

} // namespace

void slice(OpList& list) {
    list.add(
        {.name = "slice",
         .help = "The positions from begin to end of one dim, in steps.",
         .inputs = {{"x", OperandType::any}},
         .outputs = {"y"},
         .attributes = {dimSpec,
                        {.name = "begin", .defaultValue = std::int64_t{0}, .help = "First index."},
                        {.name = "end",
                         .defaultValue = std::int64_t{1},
                         .help = "Index after the last; before it if step is below 0."},
                        stepSpec},
         .shape = sliceShape,
         .gradient = sliceGradient,
         .placementOf = slicePlacement,
         .cost = [](const Signature&) { return Flops{}; },
         .samples = {{.inputs = {{9, 4}}, .attributes = along(0, "begin", 2, "end", 7)},
                     {.inputs = {{5}}, .attributes = along(0, "begin", 4, "end", 5)},
                     {.inputs = {{3, 7, 5}}, .attributes = along(-1, "begin", 0, "end", 2)},
                     {.inputs = {{2, 6, 3, 5}}, .attributes = along(1, "begin", 1, "end", 6)},
                     {.inputs = {{2, 3, 7, 5}}, .attributes = along(2, "begin", 1, "end", 7, 3)},
                     {.inputs = {{3, 4, 9}}, .attributes = along(-1, "begin", 8, "end", -1, -1)},
                     {.inputs = {{3, 9, 4}}, .attributes = along(1, "begin", 7, "end", 0, -2)}},
         .onnx = "Slice"});
    list.add(
        {.name = "pad",
         .help = "Adds positions that hold one number before, after and between those of one dim.",
         .inputs = {{"x"}},
         .outputs = {"y"},
         .attributes = {dimSpec,
                        {.name = "before",
                         .defaultValue = std::int64_t{0},
                         .help = "Number of positions to add before the first.",
                         .least = 0},
                        {.name = "after",
                         .defaultValue = std::int64_t{0},
                         .help = "Number of positions to add after the last.",
                         .least = 0},
                        stepSpec,
                        {.name = "value",
                         .defaultValue = 0.0,
                         .help = "The number at the positions that are added."}},
         .shape = padShape,
         .gradient = padGradient,
         .placementOf = padPlacement,
         .cost =
             [](const Signature& s) {
                 const bool isZero = s.attributes.real("value") == 0;
                 return Flops{isZero ? 0 : s.outputs[0].elements() - s.inputs[0].elements()};
             },
         .samples = {{.inputs = {{5, 4}}, .attributes = along(0, "before", 2, "after", 3)},
                     {.inputs = {{1}}, .attributes = along(0, "before", 0, "after", 4)},
                     {.inputs = {{3, 7, 5}}, .attributes = along(-1, "before", 1, "after", 0)},
                     {.inputs = {{2, 3, 3, 5}}, .attributes = along(1, "before", 1, "after", 1)},
                     {.inputs = {{2, 3, 4, 5}}, .attributes = along(2, "before", 1, "after", 2, 3)},
                     {.inputs = {{3, 4, 5}}, .attributes = along(1, "before", 0, "after", 1, -2)},
                     {.inputs = {{3, 7, 5}},
                      .attributes = with(along(-1, "before", 2, "after", 1), 0.75)}},
         .onnx = "Pad"});
}

} // namespace weft::ops
