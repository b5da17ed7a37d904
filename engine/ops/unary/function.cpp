// SPDX-License-Identifier: Apache-2.0
#include "ops/unary/function.h"

#include "graph/function_attributes.h"
#include "ops/elementwise.h"

namespace weft::ops {

namespace {

std::string gradientName(const functions::Info& info) {
    return std::string(info.name) + "_gradient";
}

/// Samples of the function, or of its gradient with the operands (x or y, dy).
std::vector<Sample> samplesOf(const functions::Info& info, std::size_t operands) {
    std::vector<Sample> samples = elementwiseSamples(operands, info.samplesArePositive);
    for (Sample& sample : samples) {
        sample.attributes = sampleAttributesOf(info);
        if (info.samplesAreConditions) {
            sample.operands = [](Builder& builder, std::vector<ValueId> drawn) {
                return std::vector{conditionOf(builder, drawn[0])};
            };
        }
        if (info.sampleScale != 1) {
            sample.operands = [scale = info.sampleScale](Builder& builder,
                                                         std::vector<ValueId> drawn) {
                drawn[0] = builder.add("scale", {drawn[0]}, {{"factor", scale}});
                return drawn;
            };
        }
    }
    return samples;
}

std::function<void(Gradient&)> gradientRule(const functions::Info& info) {
    return [&info, name = gradientName(info)](Gradient& gradient) {
        using functions::Reads;
        if (info.reads == Reads::onlyDy) {
            gradient.set(0, gradient.dy());
            return;
        }
        if (info.reads == Reads::nothing) {
            gradient.set(0, gradient.add(info.name, {gradient.dy()}, gradient.attributes()));
            return;
        }
        const ValueId read = info.reads == Reads::x ? gradient.input(0) : gradient.output();
        gradient.set(0, gradient.add(name, {read, gradient.dy()}, gradient.attributes()));
    };
}

} // namespace

void addFunction(OpList& list, const functions::Info& info, PieceOf pieceOf) {
    const bool isLinear = info.reads == functions::Reads::nothing;
    Op op{.name = std::string(info.name),
          .help = std::string(info.help),
          .inputs = {{"x"}},
          .outputs = {"y"},
          .attributes = attributesOf(info),
          .shape = likeFirst,
          .gradient = info.reads == functions::Reads::none ? std::function<void(Gradient&)>()
                                                           : gradientRule(info),
          .placement = isLinear ? "... -> ..." : "~... -> ...",
          .cost = perElement(info.flops),
          .inPlace = {{0, 0}},
          .samples = samplesOf(info, 1),
          .onnx = std::string(info.onnx)};
    if (pieceOf != nullptr) {
        op.choice =
            PiecewiseGradient{.isOperand = info.reads == functions::Reads::x,
                              .pieces = [&info, pieceOf](const Attributes& attributes) {
                                  return [pieceOf, numbers = numbersOf(info, attributes)](
                                             double read) { return pieceOf(read, numbers); };
                              }};
    }
    list.add(std::move(op));
    if (info.hasGradientOp()) {
        Op gradient = activationGradient(
            gradientName(info), info.reads == functions::Reads::x ? "x" : "y", info.gradientFlops);
        gradient.attributes = attributesOf(info);
        gradient.samples = samplesOf(info, 2);
        if (info.hasBilinearGradient) {
            gradient.placement = "..., ... -> ...";
        }
        list.add(std::move(gradient));
    }
}

} // namespace weft::ops
