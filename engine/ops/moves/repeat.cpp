// SPDX-License-Identifier: Apache-2.0
// repeat: a body that runs several times (graph/repeat.h); its gradient is another repeat
// stack: y[n, ..] = x_n[..]; round: y[..] = x[position, ..]; unround: zeros but y[position, ..] = x
#include "ops/elementwise.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

AttributeSpec number(std::string name, std::string help) {
    return {.name = std::move(name), .defaultValue = std::int64_t{0}, .help = std::move(help)};
}

const AttributeSpec position = {.name = "position",
                                .defaultValue = std::int64_t{0},
                                .help = "Index along dim 0 of the whole value.",
                                .least = 0};

/// Returns "n! b o": the iterations before the letters of one iteration.
std::string withRounds(std::size_t rank) {
    return rank == 0 ? "n!" : "n! " + joined(dimLetters(rank));
}

void stackShape(ShapeInference& inference) {
    allEqual(inference);
    Shape shape = inference.shape(0);
    shape.insert(shape.begin(), static_cast<std::int64_t>(inference.inputs()));
    inference.output(0) = {inference.input(0).dtype, shape};
}

std::string stackPlacement(const Signature& s) {
    const std::size_t rank = s.inputs[0].shape.size();
    const std::vector<std::string> terms(s.inputs.size(), joined(dimLetters(rank)));
    return fmt::format("{} -> {}", fmt::join(terms, " + "), withRounds(rank));
}

void roundShape(ShapeInference& inference) {
    const Shape& shape = inference.shape(0);
    if (shape.empty() || inference.attributes().integer("position") >= shape[0]) {
        inference.refuse(fmt::format("input is {}, which has no iteration {}", toString(shape),
                                     inference.attributes().integer("position")));
        return;
    }
    inference.output(0) = {inference.input(0).dtype, Shape(shape.begin() + 1, shape.end())};
}

void unroundShape(ShapeInference& inference) {
    const std::int64_t rounds = inference.attributes().integer("rounds");
    if (inference.attributes().integer("position") >= rounds) {
        inference.refuse(fmt::format("there are {} iterations, but no iteration {}", rounds,
                                     inference.attributes().integer("position")));
        return;
    }
    Shape shape = inference.shape(0);
    shape.insert(shape.begin(), rounds);
    inference.output(0) = {inference.input(0).dtype, shape};
}

void addStack(OpList& list) {
    list.add({.name = "stack",
              .help = "Stacks its inputs along a new first dim.",
              .inputs = {{"x", OperandType::any}},
              .outputs = {"y"},
              .variadic = true,
              .shape = stackShape,
              .gradient =
                  [](Gradient& gradient) {
                      for (std::size_t k = 0; k < gradient.results().size(); ++k) {
                          gradient.set(k,
                                       gradient.add("round", {gradient.dy()},
                                                    {{"position", static_cast<std::int64_t>(k)}}));
                      }
                  },
              .placementOf = stackPlacement,
              .cost = [](const Signature&) { return Flops{}; },
              .samples = {{.inputs = {{3, 4}, {3, 4}}},
                          {.inputs = {{1}}},
                          {.inputs = {{2, 3, 5}, {2, 3, 5}, {2, 3, 5}}}}});
}

void addRound(OpList& list) {
    list.add({.name = "round",
              .help = "The part of x at one position of its first dim.",
              .inputs = {{"x", OperandType::any}},
              .outputs = {"y"},
              .attributes = {position},
              .shape = roundShape,
              .gradient =
                  [](Gradient& gradient) {
                      gradient.set(
                          0, gradient.add("unround", {gradient.dy()},
                                          {{"position", gradient.attributes().integer("position")},
                                           {"rounds", gradient.inputShape(0)[0]}}));
                  },
              .placementOf =
                  [](const Signature& s) {
                      const std::size_t rank = s.inputs[0].shape.size() - 1;
                      return withRounds(rank) + " -> " + joined(dimLetters(rank));
                  },
              .cost = [](const Signature&) { return Flops{}; },
              .samples = {{.inputs = {{3, 4, 5}}, .attributes = {{"position", std::int64_t{2}}}},
                          {.inputs = {{1, 1}}},
                          {.inputs = {{2, 3, 5, 7}}}},
              .undeclaredRows = {"S(0) -> P: every device executes all iterations, so that "
                                 "collected results are never split by iteration"}});
    list.add(
        {.name = "unround",
         .help = "Gradient of round: zeros, but x at one position of a new first dim.",
         .inputs = {{"x", OperandType::any}},
         .outputs = {"y"},
         .attributes = {position, number("rounds", "size of dim 0")},
         .shape = unroundShape,
         .gradient =
             [](Gradient& gradient) {
                 gradient.set(
                     0, gradient.add("round", {gradient.dy()},
                                     {{"position", gradient.attributes().integer("position")}}));
             },
         .placementOf =
             [](const Signature& s) {
                 const std::size_t rank = s.inputs[0].shape.size();
                 return joined(dimLetters(rank)) + " -> " + withRounds(rank);
             },
         .cost = [](const Signature&) { return Flops{}; },
         .samples = {{.inputs = {{4, 5}},
                      .attributes = {{"position", std::int64_t{1}}, {"rounds", std::int64_t{3}}}},
                     {.inputs = {{1}}, .attributes = {{"rounds", std::int64_t{1}}}},
                     {.inputs = {{2, 3, 5}}, .attributes = {{"rounds", std::int64_t{2}}}}}});
}

} // namespace

void repeat(OpList& list) {
    list.add(
        {.name = "repeat",
         .help = "Runs its body several times and passes values on to the next iteration.",
         .inputs = {{"x", OperandType::any}},
         .outputs = {"y"},
         .variadic = true,
         .attributes = {number("count", "number of iterations"),
                        number("carried", "number of loop-carried operands and results"),
                        number("sliced",
                               "number of operands of which each iteration reads one position"),
                        number("summed", "number of results that are summed over the iterations"),
                        number("collected", "number of results with one position per iteration"),
                        {.name = "reversed",
                         .defaultValue = false,
                         .help = "Run the iterations from the last position to the first."}},
         .shape = {},
         .cost = {},
         .bodied = true});
    addStack(list);
    addRound(list);
}

} // namespace weft::ops
