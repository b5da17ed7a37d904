// SPDX-License-Identifier: Apache-2.0
// The ops of the rows of functions/pairs.h.
#include "ops/binary/pairs.h"

#include "functions/table.h"
#include "graph/broadcast.h"
#include "ops/elementwise.h"

#include <fmt/format.h>

namespace weft::ops {

namespace {

using functions::Linear;
using functions::PairInfo;
using Dims = std::vector<std::int64_t>;

/// Returns the letters of operand k: those of the result, but one of its own where it is repeated.
std::string lettersOf(const Signature& signature, std::size_t k) {
    const Shape& y = signature.outputs[0].shape;
    const Shape& operand = signature.inputs[k].shape;
    const std::vector<std::string> of = dimLetters(y.size());
    std::vector<std::string> letters;
    for (std::size_t dim = 0; dim < operand.size(); ++dim) {
        const std::size_t at = dim == 0 ? 0 : dim + y.size() - operand.size();
        letters.push_back(operand[dim] == y[at] ? of[at]
                                                : fmt::format("{}{}!", k == 0 ? 'u' : 'v', at));
    }
    return joined(letters);
}

/// Sets da and db of a row without derivatives.
void setLinearGradients(const PairInfo& info, Gradient& gradient) {
    const auto set = [&](std::size_t k, const auto& make) {
        if (gradient.needsGradient(k)) {
            gradient.set(k, summedToOperand(gradient, k, make()));
        }
    };
    const ValueId dy = gradient.dy();
    const ValueId a = gradient.input(0);
    const ValueId b = gradient.input(1);
    switch (info.linear) {
    case Linear::sum: // a - b
        set(0, [&] { return dy; });
        set(1, [&] { return gradient.add("scale", {dy}, {{"factor", -1.0}}); });
        break;
    case Linear::product:
        set(0, [&] { return gradient.add(info.name, {dy, b}); });
        set(1, [&] { return gradient.add(info.name, {dy, a}); });
        break;
    case Linear::first: // a / b
        set(0, [&] { return gradient.add(info.name, {dy, b}); });
        set(1, [&] {
            const ValueId moved = gradient.add("multiply", {dy, gradient.output()});
            return gradient.add("scale", {gradient.add(info.name, {moved, b})}, {{"factor", -1.0}});
        });
        break;
    case Linear::second: // a chooses where b counts
        set(1, [&] { return gradient.add(info.name, {a, dy}); });
        break;
    case Linear::none: break;
    }
}

void differentiate(const PairInfo& info, Gradient& gradient) {
    if (info.derivatives[0].op.empty()) {
        setLinearGradients(info, gradient);
        return;
    }
    for (const std::size_t k : {0U, 1U}) {
        if (gradient.needsGradient(k)) {
            const functions::Derivative& derivative = info.derivatives[k];
            const std::size_t first = derivative.isSwapped ? 1 : 0;
            const ValueId factor =
                gradient.add(derivative.op, {gradient.input(first), gradient.input(1 - first)});
            gradient.set(
                k, summedToOperand(gradient, k, gradient.add("multiply", {gradient.dy(), factor})));
        }
    }
}

bool hasGradient(const PairInfo& info) {
    return !info.derivatives[0].op.empty() || info.linear != Linear::none;
}

/// Returns "~", the placement mark of a nonlinear operand, unless the function is linear in operand
/// k.
std::string linearityMark(Linear linear, std::size_t k) {
    const bool isLinear = linear == Linear::sum || linear == Linear::product ||
                          linear == (k == 0 ? Linear::first : Linear::second);
    return isLinear ? "" : "~";
}

} // namespace

void broadcastOperands(ShapeInference& inference) {
    likeFirst(inference);
    const std::optional<Shape> shape = broadcastShape(inference.shape(0), inference.shape(1));
    if (!shape) {
        inference.refuse(fmt::format("inputs are {} and {}; expected equal shapes, or size 1 where "
                                     "dims after the batch differ",
                                     toString(inference.shape(0)), toString(inference.shape(1))),
                         1);
        return;
    }
    inference.output(0).shape = *shape;
}

std::string broadcastPlacement(const Signature& signature, Linear linear) {
    const std::string between = linear == Linear::sum ? " + " : ", ";
    const bool isOfOneShape = signature.inputs[0].shape == signature.inputs[1].shape;
    const auto operand = [&](std::size_t k) {
        return linearityMark(linear, k) + (isOfOneShape ? "..." : lettersOf(signature, k));
    };
    return operand(0) + between + operand(1) + " -> " +
           (isOfOneShape ? "..." : joined(dimLetters(signature.outputs[0].shape.size())));
}

ValueId summedToOperand(Gradient& gradient, std::size_t k, ValueId derivative) {
    const Shape y = gradient.shape(derivative);
    const Shape operand = gradient.inputShape(k);
    const std::size_t missing = y.size() - operand.size();
    Dims left;  // dims that the operand does not have
    Dims alike; // dims of size 1, in the operand's count
    for (std::size_t dim = 1; dim < y.size(); ++dim) {
        if (dim <= missing) {
            left.push_back(static_cast<std::int64_t>(dim));
        } else if (operand[dim - missing] != y[dim]) {
            alike.push_back(static_cast<std::int64_t>(dim - missing));
        }
    }
    const auto sum = [&](const Dims& dims, bool keepdims) {
        if (!dims.empty()) {
            derivative =
                gradient.add("reduce_sum", {derivative}, {{"dims", dims}, {"keepdims", keepdims}});
        }
    };
    sum(left, false);
    sum(alike, true);
    return derivative;
}

std::vector<Sample> broadcastSamples(bool positive) {
    std::vector<Sample> samples = elementwiseSamples(2, positive);
    for (const auto& shapes :
         {std::vector<Shape>{{3, 5, 4, 6}, {3, 5, 1, 1}},
          std::vector<Shape>{{3, 1, 4, 6}, {3, 5, 4, 1}}, std::vector<Shape>{{3, 5, 7}, {3, 7}},
          std::vector<Shape>{{2, 1, 3}, {2, 4, 5, 1}}}) {
        samples.push_back({.inputs = shapes, .positive = positive});
    }
    samples.push_back({.inputs = {{}, {}}, .positive = positive});
    return samples;
}

void addPair(OpList& list, const PairInfo& info) {
    Op op{.name = std::string(info.name),
          .help = std::string(info.help),
          .inputs = {{"a"}, {"b"}},
          .outputs = {"y"},
          .shape = broadcastOperands,
          .placementOf =
              [linear = info.linear](const Signature& signature) {
                  return broadcastPlacement(signature, linear);
              },
          .cost =
              [flops = info.flops](const Signature& signature) {
                  return Flops{flops * signature.outputs[0].elements()};
              },
          .inPlace = {{0, 0}, {1, 0}},
          .samples = broadcastSamples(info.samplesArePositive),
          .onnx = std::string(info.onnx)};
    if (info.gradientJumps) {
        op.choice = PiecewiseGradient{};
    }
    if (info.readsConditions) {
        for (Sample& sample : op.samples) {
            sample.operands = [both = info.linear == Linear::none](Builder& builder,
                                                                   std::vector<ValueId> drawn) {
                drawn[0] = conditionOf(builder, drawn[0]);
                drawn[1] = both ? conditionOf(builder, drawn[1]) : drawn[1];
                return drawn;
            };
        }
    }
    if (hasGradient(info)) {
        op.gradient = [&info](Gradient& gradient) { differentiate(info, gradient); };
    }
    list.add(std::move(op));
}

void pairs(OpList& list) {
    functions::Pairs::forEach([&]<class Row>(Row) { addPair(list, Row::pair); });
}

} // namespace weft::ops
