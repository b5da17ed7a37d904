// SPDX-License-Identifier: Apache-2.0
#pragma once
// The tables of elementwise functions, of one operand and of two. From a row follow an op, its
// gradient, a layer and the kernels of all backends.

#include "functions/activations.h"
#include "functions/arithmetic.h"
#include "functions/pairs.h"

#include <type_traits>

namespace weft::functions {

template <class... Row>
struct Rows {
    static constexpr std::size_t count = sizeof...(Row);

    /// Calls with(a row) for each.
    template <class With>
    static constexpr void forEach(const With& with) {
        (with(Row{}), ...);
    }
    template <class One>
    [[nodiscard]] static constexpr std::size_t indexOf() {
        constexpr std::array<bool, count> isOne{std::is_same_v<One, Row>...};
        std::size_t index = 0;
        while (!isOne[index]) {
            ++index;
        }
        return index;
    }
};

using Activations = Rows<Relu, Gelu, Tanh, Sigmoid, LeakyRelu, Elu, Selu, Silu, Mish, Softplus,
                         Softsign, HardSigmoid, HardSwish, Clip>;
using Arithmetic = Rows<Log, Exp, Square, Sqrt, Power, Abs, Neg, Reciprocal, Sin, Cos, Erf,
                        ReciprocalRoot, AddNumber, MaximumNumber, MinimumNumber, EqualNumber,
                        LessNumber, GreaterNumber, DropNumber, NormRoot>;

template <class... First, class... Second>
Rows<First..., Second...> joined(Rows<First...>, Rows<Second...>);
using All = decltype(joined(Activations{}, Arithmetic{}));

/// The functions of two operands.
using Pairs =
    Rows<Subtract, Multiply, Divide, MaximumDerivative, Maximum, Minimum, PowBaseDerivative,
         PowExponentDerivative, Pow, Equal, Less, Greater, And, Or, KeepWhere, DropWhere>;

} // namespace weft::functions
