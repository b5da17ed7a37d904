// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kernels of a row of the table of elementwise functions, in float and double.

#include "backends/reference/reference_kernel.h"
#include "functions/row.h"
#include "graph/function_attributes.h"

#include <array>
#include <cmath>
#include <numbers>

namespace weft::reference {

/// The functions of the standard library.
struct StandardFunctions {
    template <class T>
    static T abs(T x) {
        return std::abs(x);
    }
    template <class T>
    static T exp(T x) {
        return std::exp(x);
    }
    template <class T>
    static T expMinusOne(T x) {
        return std::expm1(x);
    }
    template <class T>
    static T log(T x) {
        return std::log(x);
    }
    template <class T>
    static T logOnePlus(T x) {
        return std::log1p(x);
    }
    template <class T>
    static T power(T x, T exponent) {
        return std::pow(x, exponent);
    }
    template <class T>
    static T sqrt(T x) {
        return std::sqrt(x);
    }
    template <class T>
    static T sin(T x) {
        return std::sin(x);
    }
    template <class T>
    static T cos(T x) {
        return std::cos(x);
    }
    template <class T>
    static T tanh(T x) {
        return std::tanh(x);
    }
    template <class T>
    static T erf(T x) {
        return std::erf(x);
    }
    /// The normal distribution and its density.
    template <class T>
    static T normalBelow(T x) {
        return T(0.5) * std::erfc(-x / std::numbers::sqrt2_v<T>);
    }
    template <class T>
    static T normalDensity(T x) {
        return std::exp(-x * x / 2) * std::numbers::inv_sqrtpi_v<T> / std::numbers::sqrt2_v<T>;
    }
};

template <class Row>
void addFunction(KernelList& list) {
    using M = StandardFunctions;
    using Numbers = std::array<double, 2>;
    const auto numbers = [](const KernelRequest& request) {
        return numbersOf(Row::info, request.attributes);
    };
    const std::string name(Row::info.name);
    addKernel(list, name, numbers, []<class T>(const Call<T>& call, const Numbers& of) {
        for (std::int64_t k = 0; k < call.output().elements(); ++k) {
            call.out()[k] = functions::valueOf<Row, M>(call.in(0)[k], static_cast<T>(of[0]),
                                                       static_cast<T>(of[1]));
        }
    });
    if constexpr (Row::info.hasGradientOp()) {
        addKernel(
            list, name + "_gradient", numbers, []<class T>(const Call<T>& call, const Numbers& of) {
                for (std::int64_t k = 0; k < call.output().elements(); ++k) {
                    call.out()[k] = functions::gradientOf<Row, M>(
                        call.in(0)[k], call.in(1)[k], static_cast<T>(of[0]), static_cast<T>(of[1]));
                }
            });
    }
}

} // namespace weft::reference
