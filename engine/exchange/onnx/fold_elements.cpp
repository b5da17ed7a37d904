// SPDX-License-Identifier: Apache-2.0
#include "exchange/onnx/folding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace weft::onnx {

namespace {

using OfWholes = std::int64_t (*)(std::int64_t, std::int64_t);
using OfReals = double (*)(double, double);

std::int64_t difference(std::int64_t a, std::int64_t b) {
    std::int64_t c = 0;
    return __builtin_sub_overflow(a, b, &c) ? (refuseOverflow(), 0) : c;
}
std::int64_t quotient(std::int64_t a, std::int64_t b) {
    if (b == 0 || (b == -1 && a == std::numeric_limits<std::int64_t>::min())) {
        refuseOverflow();
    }
    return a / b;
}
std::int64_t remainder(std::int64_t a, std::int64_t b) {
    if (b == 0 || b == -1) {
        return b == 0 ? (refuseOverflow(), 0) : 0;
    }
    const std::int64_t rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

Tensor binary(NodeFolding& folding, OfWholes wholes, OfReals reals) {
    Tensor made = folding.input(0);
    for (std::size_t k = 1; k < folding.inputCount(); ++k) {
        const Shape shape = broadcastShape(made.shape, folding.input(k).shape);
        made = broadcast(made, shape);
        const Tensor other = broadcast(folding.input(k), shape);
        if (made.isReal() != other.isReal()) {
            throw Refusal("its operands have different types");
        }
        for (std::size_t i = 0; i < made.wholes.size(); ++i) {
            made.wholes[i] = wholes(made.wholes[i], other.wholes[i]);
        }
        for (std::size_t i = 0; i < made.reals.size(); ++i) {
            made.reals[i] = static_cast<float>(
                reals(static_cast<double>(made.reals[i]), static_cast<double>(other.reals[i])));
        }
    }
    return made;
}

Tensor compare(NodeFolding& folding, bool (*holds)(double, double)) {
    const Shape shape = broadcastShape(folding.input(0).shape, folding.input(1).shape);
    const Tensor a = broadcast(folding.input(0), shape);
    const Tensor b = broadcast(folding.input(1), shape);
    Tensor made = zeros(Element::boolean, shape);
    for (std::size_t k = 0; k < made.wholes.size(); ++k) {
        made.wholes[k] = holds(a.real(k), b.real(k)) ? 1 : 0;
    }
    return made;
}

Tensor unary(NodeFolding& folding, double (*of)(double)) {
    Tensor made = folding.input(0);
    std::ranges::transform(made.reals, made.reals.begin(),
                           [&](float x) { return static_cast<float>(of(static_cast<double>(x))); });
    std::ranges::transform(made.wholes, made.wholes.begin(), [&](std::int64_t x) {
        const double result = of(static_cast<double>(x));
        if (!(std::abs(result) < largestWhole)) {
            refuseOverflow();
        }
        return static_cast<std::int64_t>(result);
    });
    return made;
}

Tensor cast(NodeFolding& folding) {
    const auto to = static_cast<Element>(folding.attributes().whole("to", 1));
    folding.attributes().skip("saturate");
    if (!holdsNumbers(to)) {
        throw Refusal(fmt::format("it converts to {}", nameOf(to)));
    }
    const Tensor& from = folding.input(0);
    if (isFloating(to) && from.isReal()) {
        Tensor made = from;
        made.element = to;
        return made;
    }
    Tensor made = zeros(to, from.shape);
    for (std::size_t k = 0; k < from.size(); ++k) {
        if (made.isReal()) {
            made.reals[k] = static_cast<float>(from.real(k));
        } else if (!from.isReal()) {
            made.wholes[k] =
                to == Element::boolean ? (from.wholes[k] != 0 ? 1 : 0) : from.wholes[k];
        } else if (std::abs(from.real(k)) < 9e18) {
            made.wholes[k] = to == Element::boolean ? (from.real(k) != 0 ? 1 : 0)
                                                    : static_cast<std::int64_t>(from.real(k));
        } else {
            throw Refusal("it converts a number that is too large to a whole one");
        }
    }
    return made;
}

Tensor where(NodeFolding& folding) {
    const Shape shape = broadcastShape(
        folding.input(0).shape, broadcastShape(folding.input(1).shape, folding.input(2).shape));
    const Tensor condition = broadcast(folding.input(0), shape);
    Tensor made = broadcast(folding.input(1), shape);
    const Tensor other = broadcast(folding.input(2), shape);
    if (made.isReal() != other.isReal()) {
        throw Refusal("its operands have different types");
    }
    for (std::size_t k = 0; k < made.size(); ++k) {
        if (condition.real(k) == 0) {
            made.isReal() ? void(made.reals[k] = other.reals[k])
                          : void(made.wholes[k] = other.wholes[k]);
        }
    }
    return made;
}

/// Converts quantized weights to f32 by a scale and an optional zero point, each per tensor or per
/// slice of an axis.
Tensor dequantized(NodeFolding& folding) {
    const Tensor& from = folding.input(0);
    const Tensor& scale = folding.input(1);
    const std::int64_t axis = folding.attributes().whole("axis", 1);
    folding.attributes().expect("block_size", 0);
    folding.attributes().skip("output_dtype");
    Shape strides(from.shape.size(), 0);
    if (scale.size() != 1) {
        const std::size_t dim = axisFromFront(axis, from.shape.size());
        if (scale.shape.size() != 1 || scale.shape[0] != from.shape[dim]) {
            throw Refusal("its scales do not fit its axis");
        }
        strides[dim] = 1;
    }
    if (folding.hasInput(2) && folding.input(2).size() != scale.size()) {
        throw Refusal("its zero points do not fit its scales");
    }
    Tensor made = zeros(Element::f32, from.shape);
    walk(from.shape, strides, 0, [&](std::size_t k, std::size_t of) {
        const double zero = folding.hasInput(2) ? folding.input(2).real(of) : 0;
        made.reals[k] = static_cast<float>((from.real(k) - zero) * scale.real(of));
    });
    return made;
}

Tensor reduce(NodeFolding& folding, std::int64_t inputSince, double begin, OfReals step,
              bool isMean) {
    const Tensor& from = folding.input(0);
    const Shape axes = folding.integersOf("axes", 1, inputSince);
    const bool keeps = folding.attributes().whole("keepdims", 1) != 0;
    if (folding.attributes().whole("noop_with_empty_axes", 0) != 0 && axes.empty()) {
        return from;
    }
    std::vector<bool> goes(from.shape.size(), axes.empty());
    for (const std::int64_t axis : axes) {
        goes[axisFromFront(axis, from.shape.size())] = true;
    }
    Shape kept = from.shape;
    Shape shape;
    for (std::size_t k = 0; k < kept.size(); ++k) {
        kept[k] = goes[k] ? 1 : kept[k];
        if (!goes[k] || keeps) {
            shape.push_back(kept[k]);
        }
    }
    Shape strides = stridesOf(kept);
    for (std::size_t k = 0; k < kept.size(); ++k) {
        strides[k] = goes[k] ? 0 : strides[k];
    }
    requireFewRepeats(kept, from.size());
    std::vector<double> results(static_cast<std::size_t>(elementCount(kept)), begin);
    walk(from.shape, strides, 0,
         [&](std::size_t at, std::size_t to) { results[to] = step(results[to], from.real(at)); });
    Tensor made = zeros(from.element, shape);
    for (std::size_t k = 0; k < results.size(); ++k) {
        const double count = static_cast<double>(from.size()) / static_cast<double>(results.size());
        const double result = isMean ? results[k] / count : results[k];
        if (!made.isReal() && !(std::abs(result) < largestWhole)) {
            refuseOverflow();
        }
        made.isReal() ? void(made.reals[k] = static_cast<float>(result))
                      : void(made.wholes[k] = static_cast<std::int64_t>(result));
    }
    return made;
}

} // namespace

std::vector<FoldRow> elementFoldRows() {
    return {
        {"Cast", cast},
        {"Add",
         [](NodeFolding& f) {
             return binary(f, checkedSum, [](double a, double b) { return a + b; });
         }},
        {"Sub",
         [](NodeFolding& f) {
             return binary(f, difference, [](double a, double b) { return a - b; });
         }},
        {"Mul",
         [](NodeFolding& f) {
             return binary(f, checkedProduct, [](double a, double b) { return a * b; });
         }},
        {"Div",
         [](NodeFolding& f) {
             return binary(f, quotient, [](double a, double b) { return a / b; });
         }},
        {"Mod",
         [](NodeFolding& f) {
             const bool isC = f.attributes().whole("fmod", 0) != 0;
             return binary(f,
                           isC ? OfWholes([](std::int64_t a, std::int64_t b) {
                               return b == -1 ? 0 : a - checkedProduct(quotient(a, b), b);
                           })
                               : OfWholes(remainder),
                           [](double a, double b) { return std::fmod(a, b); });
         }},
        {"Pow",
         [](NodeFolding& f) {
             return binary(
                 f,
                 [](std::int64_t a, std::int64_t b) {
                     const double power = std::pow(static_cast<double>(a), static_cast<double>(b));
                     return std::abs(power) < largestWhole ? static_cast<std::int64_t>(power)
                                                           : (refuseOverflow(), 0);
                 },
                 [](double a, double b) { return std::pow(a, b); });
         }},
        {"Min",
         [](NodeFolding& f) {
             return binary(
                 f, [](std::int64_t a, std::int64_t b) { return std::min(a, b); },
                 [](double a, double b) { return std::min(a, b); });
         }},
        {"Max",
         [](NodeFolding& f) {
             return binary(
                 f, [](std::int64_t a, std::int64_t b) { return std::max(a, b); },
                 [](double a, double b) { return std::max(a, b); });
         }},
        {"Neg", [](NodeFolding& f) { return unary(f, [](double x) { return -x; }); }},
        {"Abs", [](NodeFolding& f) { return unary(f, [](double x) { return std::abs(x); }); }},
        {"Sqrt", [](NodeFolding& f) { return unary(f, [](double x) { return std::sqrt(x); }); }},
        {"Exp", [](NodeFolding& f) { return unary(f, [](double x) { return std::exp(x); }); }},
        {"Log", [](NodeFolding& f) { return unary(f, [](double x) { return std::log(x); }); }},
        {"Floor", [](NodeFolding& f) { return unary(f, [](double x) { return std::floor(x); }); }},
        {"Ceil", [](NodeFolding& f) { return unary(f, [](double x) { return std::ceil(x); }); }},
        {"Reciprocal", [](NodeFolding& f) { return unary(f, [](double x) { return 1 / x; }); }},
        {"Not",
         [](NodeFolding& f) { return unary(f, [](double x) { return x == 0 ? 1.0 : 0.0; }); }},
        {"Equal",
         [](NodeFolding& f) { return compare(f, [](double a, double b) { return a == b; }); }},
        {"Less",
         [](NodeFolding& f) { return compare(f, [](double a, double b) { return a < b; }); }},
        {"Greater",
         [](NodeFolding& f) { return compare(f, [](double a, double b) { return a > b; }); }},
        {"LessOrEqual",
         [](NodeFolding& f) { return compare(f, [](double a, double b) { return a <= b; }); }},
        {"GreaterOrEqual",
         [](NodeFolding& f) { return compare(f, [](double a, double b) { return a >= b; }); }},
        {"And",
         [](NodeFolding& f) { return compare(f, [](double a, double b) { return a * b != 0; }); }},
        {"Or",
         [](NodeFolding& f) {
             return compare(f, [](double a, double b) { return a != 0 || b != 0; });
         }},
        {"Where", where},
        {"ReduceProd",
         [](NodeFolding& f) {
             return reduce(
                 f, 18, 1, [](double a, double b) { return a * b; }, false);
         }},
        {"ReduceSum",
         [](NodeFolding& f) {
             return reduce(
                 f, 13, 0, [](double a, double b) { return a + b; }, false);
         }},
        {"ReduceMean",
         [](NodeFolding& f) {
             return reduce(
                 f, 18, 0, [](double a, double b) { return a + b; }, true);
         }},
        {"DequantizeLinear", dequantized}};
}

} // namespace weft::onnx
