// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kernels of a row of the table of elementwise functions.

#include "backends/cpu/elementwise.h"
#include "backends/cpu/functions.h"
#include "functions/row.h"
#include "graph/function_attributes.h"

#include <cmath>
#include <string>

namespace weft::cpu {

/// Branch-free functions, so that loops over them vectorise.
struct FastFunctions {
    WEFT_FUNCTION float abs(float x) { return std::abs(x); }
    WEFT_FUNCTION float exp(float x) { return exponential(x); }
    WEFT_FUNCTION float expMinusOne(float x) { return exponentialMinusOne(x); }
    WEFT_FUNCTION float log(float x) { return logarithm(x); }
    WEFT_FUNCTION float logOnePlus(float x) { return logarithmOfOnePlus(x); }
    WEFT_FUNCTION float power(float x, float exponent) { return cpu::power(x, exponent); }
    WEFT_FUNCTION float sqrt(float x) { return std::sqrt(x); }
    WEFT_FUNCTION float sin(float x) { return sineAfterTurns(x, 0); }
    WEFT_FUNCTION float cos(float x) { return sineAfterTurns(x, 1); }
    WEFT_FUNCTION float tanh(float x) { return hyperbolicTangent(x); }
    WEFT_FUNCTION float erf(float x) { return errorFunction(x); }
    /// The normal distribution and its density.
    WEFT_FUNCTION float normalBelow(float x) { return normalDistribution(x); } ///< CDF
    WEFT_FUNCTION float normalDensity(float x) { return cpu::normalDensity(x); }
};

/// Chooses the kernel of a row's function, or with two operands of its gradient.
template <class Row, std::size_t operands>
[[nodiscard]] ChoiceOrRefusal chooseFunction(const KernelRequest& request) {
    const std::array<double, 2> numbers = numbersOf(Row::info, request.attributes);
    const auto first = static_cast<float>(numbers[0]);
    const auto second = static_cast<float>(numbers[1]);
    return elementwiseOf<operands>(request, [=](const KernelArguments&) {
        return [=](auto... x) __attribute__((always_inline)) {
            if constexpr (operands == 1) {
                return functions::valueOf<Row, FastFunctions>(x..., first, second);
            } else {
                return functions::gradientOf<Row, FastFunctions>(x..., first, second);
            }
        };
    });
}

template <class Row>
void addFunction(KernelList& list) {
    const std::string name(Row::info.name);
    list.add({name, "cpu", chooseFunction<Row, 1>});
    if constexpr (Row::info.hasGradientOp()) {
        list.add({name + "_gradient", "cpu", chooseFunction<Row, 2>});
    }
}

} // namespace weft::cpu
