// SPDX-License-Identifier: Apache-2.0
// The membrane equation of competing neurons, with a time step of its own per batch element: with
// e = exp(-step[b] / tau), v' = e v + (1 - e) (drive + self a).
// weigh: y = x times e ("keep"), 1 - e ("take") or step[b] / tau ("ratio"): the terms of this
// equation, of its gradient and of its variants. sign: -1, 0 or 1.
// stop_gradient: y = x, without a gradient.
// begin: y[b, ...] = value, with this shape per element; begin_drawn: drawn uniformly within
// `spread` of value, from the random key, the step and the element's index in the whole value.
// rest: y[b] = begins[b] != 0 ? at_rest[b] : v[b].
#include "ops/elementwise.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

const AttributeSpec tauSpec = {.name = "tau",
                               .defaultValue = 10.0,
                               .help = "Time constant, in units of the step size.",
                               .above = 0};

const AttributeSpec valueSpec = {
    .name = "value", .defaultValue = 0.0, .help = "Value to fill with."};
const AttributeSpec shapeOfEachSpec = {.name = "shape",
                                       .defaultValue = std::vector<std::int64_t>{},
                                       .help = "Shape per batch element."};

/// True if the operand has one number per batch element; refuses otherwise.
bool hasOnePerElement(ShapeInference& inference, std::size_t input, std::string_view name) {
    return hasDims(inference, 0, "expected [batch, ...]") &&
           hasShape(inference, input, {inference.shape(0)[0]}, name);
}

void membraneShape(ShapeInference& inference) {
    likeFirst(inference);
    hasShape(inference, 1, inference.shape(0), "the drive");
    hasShape(inference, 2, inference.shape(0), "the code");
    (void)hasOnePerElement(inference, 3, "the step");
}

std::string perElementPlacement(const Signature& s) {
    const std::string x = joined(dimLetters(s.inputs[0].shape.size()));
    return s.inputs.size() == 2 ? fmt::format("{0}, ~b -> {0}", x)
                                : fmt::format("[{0} + {0} + {0}], ~b -> {0}", x);
}

void differentiateMembrane(Gradient& gradient) {
    const auto weighed = [&](const char* by) {
        return gradient.add("weigh", {gradient.dy(), gradient.input(3)},
                            {{"tau", gradient.attributes().real("tau")}, {"by", std::string(by)}});
    };
    if (gradient.needsGradient(0)) {
        gradient.set(0, weighed("keep"));
    }
    const double self = gradient.attributes().real("self");
    if (gradient.needsGradient(1) || (gradient.needsGradient(2) && self != 0)) {
        const ValueId taken = weighed("take");
        gradient.set(1, taken);
        gradient.set(2, self == 1 ? taken : gradient.add("scale", {taken}, {{"factor", self}}));
    }
}

const std::vector<Shape> membraneShapes = {{2, 3, 4, 5}, {1, 1}, {3, 7}};

std::vector<Sample> perElementSamples(std::size_t alike, const Attributes& attributes) {
    std::vector<Sample> samples;
    for (const Shape& shape : membraneShapes) {
        std::vector<Shape> inputs(alike, shape);
        inputs.push_back({shape[0]});
        samples.push_back(
            {.inputs = std::move(inputs), .attributes = attributes, .positive = true});
    }
    return samples;
}

Op weigh() {
    Op op{.name = "weigh",
          .help = "y = x times a factor of the membrane equation: exp(-step / tau), 1 - exp(-step "
                  "/ tau) or step / tau.",
          .inputs = {{"x"}, {"step"}},
          .outputs = {"y"},
          .attributes = {tauSpec,
                         {.name = "by",
                          .defaultValue = std::string("keep"),
                          .help = "Factor on x. keep: exp(-step / tau); take: 1 - exp(-step / "
                                  "tau); ratio: step / tau.",
                          .choices = {"keep", "take", "ratio"}}},
          .shape =
              [](ShapeInference& inference) {
                  likeFirst(inference);
                  (void)hasOnePerElement(inference, 1, "the step");
              },
          .gradient =
              [](Gradient& gradient) {
                  if (gradient.needsGradient(0)) {
                      gradient.set(0, gradient.add("weigh", {gradient.dy(), gradient.input(1)},
                                                   gradient.attributes()));
                  }
              },
          .placementOf = perElementPlacement,
          .cost = perElement(1),
          .inPlace = {{0, 0}}};
    for (const char* by : {"keep", "take", "ratio"}) {
        for (Sample& sample : perElementSamples(1, {{"tau", 3.0}, {"by", std::string(by)}})) {
            op.samples.push_back(std::move(sample));
        }
    }
    return op;
}

/// Infers [batch] and the shape of one element.
void shapeOfEach(ShapeInference& inference) {
    if (inference.shape(0).size() != 1) {
        inference.refuse("expected one number per batch element");
        return;
    }
    Shape shape = inference.attributes().integers("shape");
    shape.insert(shape.begin(), inference.shape(0)[0]);
    inference.output(0) = {inference.input(0).dtype, shape};
}

Op begin() {
    return {
        .name = "begin",
        .help = "Fills the initial state of each batch element with one value.",
        .inputs = {{"x"}},
        .outputs = {"y"},
        .attributes = {shapeOfEachSpec, valueSpec},
        .shape = shapeOfEach,
        .placementOf =
            [](const Signature& s) {
                return "~b -> " + joined(dimLetters(s.outputs[0].shape.size()));
            },
        .cost = [](const Signature& s) { return Flops{s.outputs[0].elements()}; },
        .samples = {{.inputs = {{5}},
                     .attributes = {{"shape", std::vector<std::int64_t>{3, 4, 2}}, {"value", 0.5}}},
                    {.inputs = {{1}}, .attributes = {{"value", -1.0}}}},
        .undeclaredRows = {"P -> R: the result does not depend on the numbers in x",
                           "P -> S(1): the result does not depend on the numbers in x",
                           "P -> S(2): the result does not depend on the numbers in x",
                           "P -> S(3): the result does not depend on the numbers in x"},
        .stopsGradient = true,
        .isOfDynamics = true};
}

Op beginDrawn() {
    return {.name = "begin_drawn",
            .help = "Draws the initial state of each batch element uniformly around a value.",
            .inputs = {{"x"}, {"step", OperandType::integer}},
            .outputs = {"y"},
            .attributes = {shapeOfEachSpec,
                           valueSpec,
                           {.name = "spread",
                            .defaultValue = 1.0,
                            .help = "Half width of the uniform distribution around the value.",
                            .least = 0}},
            .shape =
                [](ShapeInference& inference) {
                    shapeOfEach(inference);
                    hasShape(inference, 1, {}, "the step");
                },
            .placementOf =
                [](const Signature& s) {
                    return "~b, ~() -> " + joined(dimLetters(s.outputs[0].shape.size()));
                },
            .cost = [](const Signature& s) { return Flops{2 * s.outputs[0].elements()}; },
            .samples = {{.inputs = {{5}, {}},
                         .attributes = {{"shape", std::vector<std::int64_t>{3, 4, 2}},
                                        {"value", 0.5},
                                        {"spread", 0.25}}}},
            .random = true,
            .undeclaredRows = {"P, R -> R: the result depends on the step only",
                               "P, R -> S(1): the result depends on the step only",
                               "P, R -> S(2): the result depends on the step only",
                               "P, R -> S(3): the result depends on the step only"},
            .stopsGradient = true,
            .isOfDynamics = true};
}

Op rest() {
    Op op{.name = "rest",
          .help = "Resets the state of the batch elements that begin a new sequence.",
          .inputs = {{"v"}, {"at_rest"}, {"begins"}},
          .outputs = {"y"},
          .shape =
              [](ShapeInference& inference) {
                  likeFirst(inference);
                  hasShape(inference, 1, inference.shape(0), "the resting potential");
                  (void)hasOnePerElement(inference, 2, "the input begins");
              },
          .placementOf =
              [](const Signature& s) {
                  const std::string x = joined(dimLetters(s.inputs[0].shape.size()));
                  return fmt::format("[{0} + {0}], ~b -> {0}", x);
              },
          .cost = perElement(1),
          .inPlace = {{0, 0}, {1, 0}}};
    for (const Shape& shape : {Shape{9, 2, 2, 3}, Shape{8, 5}, Shape{7}}) {
        op.samples.push_back({.inputs = {shape, shape, {shape[0]}},
                              .operands = [](Builder& builder, const std::vector<ValueId>& drawn) {
                                  // some of these flags must be 0
                                  return std::vector<ValueId>{
                                      drawn[0], drawn[1],
                                      builder.add("transfer", {drawn[2]}, {{"threshold", 0.0}})};
                              }});
    }
    return op;
}

} // namespace

void membrane(OpList& list) {
    list.add(
        {.name = "membrane",
         .help = "The membrane equation: v' = e v + (1 - e) (drive + self a), with e = exp(-step / "
                 "tau).",
         .inputs = {{"v"}, {"drive"}, {"a"}, {"step"}},
         .outputs = {"v_next"},
         .attributes = {tauSpec,
                        {.name = "self",
                         .defaultValue = 1.0,
                         .help = "Factor on a neuron's own code, which is added to its drive."}},
         .shape = membraneShape,
         .gradient = differentiateMembrane,
         .placementOf = perElementPlacement,
         .cost = perElement(5),
         .inPlace = {{0, 0}, {1, 0}},
         .samples = perElementSamples(3, {{"tau", 3.0}, {"self", 1.0}})});
    list.add(weigh());
    list.add({.name = "sign",
              .help = "-1, 0 or 1: the sign of each element.",
              .inputs = {{"x"}},
              .outputs = {"y"},
              .shape = likeFirst,
              .placement = "~... -> ...",
              .cost = perElement(1),
              .inPlace = {{0, 0}},
              .samples = elementwiseSamples(1),
              .onnx = "Sign",
              .stopsGradient = true});
    list.add({.name = "stop_gradient",
              .help = "y = x, through which no gradient flows.",
              .inputs = {{"x"}},
              .outputs = {"y"},
              .shape = likeFirst,
              .placement = "... -> ...",
              .cost = perElement(0),
              .inPlace = {{0, 0}},
              .samples = elementwiseSamples(1),
              .stopsGradient = true});
    list.add(rest());
    list.add(begin());
    list.add(beginDrawn());
}

} // namespace weft::ops
