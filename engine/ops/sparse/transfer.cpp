// SPDX-License-Identifier: Apache-2.0
// transfer: a = T(v), the code of a potential; transfer_gradient: dv = T'(v) da. transfer_cost:
// y[b] = the sum of the costs of the element's codes (graph/transfer_function.h), added in double.
#include "graph/transfer_function.h"
#include "ops/elementwise.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace weft::ops {

namespace {

bool isSound(ShapeInference& inference) {
    const std::string problem = TransferFunction::problemOf(inference.attributes());
    if (!problem.empty()) {
        inference.refuse(problem);
    }
    return problem.empty();
}

void transferShape(ShapeInference& inference) {
    allEqual(inference);
    (void)isSound(inference);
}

void costShape(ShapeInference& inference) {
    if (isSound(inference) && hasDims(inference, 0, "transfer_cost expects [batch, ...]")) {
        inference.output(0) = {inference.input(0).dtype, {inference.shape(0)[0]}};
    }
}

std::vector<Attributes> transfers() {
    return {{{"transfer", std::string("hard")}, {"threshold", 0.4}},
            {{"transfer", std::string("soft")}, {"threshold", 0.3}, {"two_sided", true}},
            {{"transfer", std::string("firm")}, {"threshold", 0.2}, {"width", 0.6}},
            {{"transfer", std::string("general")},
             {"threshold", 0.3},
             {"shift", 0.1},
             {"width", 0.2},
             {"minimum", -0.1},
             {"maximum", 0.9}},
            {{"transfer", std::string("points")},
             {"points_v", std::vector<double>{-0.5, 0.25, 0.25, 1.0}},
             {"points_a", std::vector<double>{-0.5, 0.0, 0.2, 0.5}},
             {"minimum", -0.5},
             {"slope_below", 0.5}}};
}

std::vector<Sample> transferSamples(std::size_t operands) {
    std::vector<Sample> samples;
    for (const Attributes& attributes : transfers()) {
        const Shape shape = samples.size() % 2 == 0 ? Shape{2, 3, 4, 5} : Shape{1, 7};
        samples.push_back(
            {.inputs = std::vector<Shape>(operands, shape), .attributes = attributes});
    }
    return samples;
}

/// If two-sided, pieces of negative potentials have negative numbers, except for the piece around
/// 0.
PiecewiseGradient::PieceOf piecesOf(const Attributes& attributes) {
    const TransferFunction transfer(attributes);
    std::vector<double> from;
    for (const TransferFunction::Piece& piece : transfer.pieces()) {
        from.push_back(piece.from);
    }
    return [from = std::move(from), isTwoSided = transfer.isTwoSided()](double v) {
        const bool isMirrored = isTwoSided && v < 0;
        const auto above = std::ranges::upper_bound(from, isMirrored ? -v : v);
        const int piece = static_cast<int>(above - from.begin());
        return isMirrored && piece > 1 ? -piece : piece;
    };
}

/// Returns the placement for this number of dims: "b o y x".
std::string costPlacement(const Signature& s) {
    return "~" + joined(dimLetters(s.inputs[0].shape.size())) + " -> b";
}

} // namespace

void transfer(OpList& list) {
    list.add({.name = "transfer",
              .help = "The code of a membrane potential: a = T(v), with the transfer function T.",
              .inputs = {{"v"}},
              .outputs = {"a"},
              .attributes = transferAttributes(),
              .shape = transferShape,
              .gradient =
                  [](Gradient& gradient) {
                      gradient.set(0, gradient.add("transfer_gradient",
                                                   {gradient.input(0), gradient.dy()},
                                                   gradient.attributes()));
                  },
              .placement = "~... -> ...",
              .cost = perElement(4),
              .inPlace = {{0, 0}},
              .samples = transferSamples(1),
              .choice = PiecewiseGradient{.isOperand = true, .pieces = piecesOf}});
    Op gradient = activationGradient("transfer_gradient", "v", 4);
    gradient.attributes = transferAttributes();
    gradient.shape = transferShape;
    gradient.samples = transferSamples(2);
    list.add(std::move(gradient));
    list.add({.name = "transfer_cost",
              .help = "The sum of the costs of the codes of each batch element.",
              .inputs = {{"a"}},
              .outputs = {"y"},
              .attributes = transferAttributes(),
              .shape = costShape,
              .placementOf = costPlacement,
              .cost = perElement(4),
              .samples = transferSamples(1),
              .stopsGradient = true});
}

} // namespace weft::ops
