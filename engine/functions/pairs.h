// SPDX-License-Identifier: Apache-2.0
#pragma once
// The table of functions of two operands, element by element. From a row follow an op that
// broadcasts its operands, its kernels on all backends, and a layer unless the title is empty. The
// host compiler and nvcc read this file, so it includes the standard library only.
//
// A row is a struct with its description `pair` and the template `value<M>(a, b)`. M supplies
// power, log and others as each backend computes them.

#include "functions/row.h"

namespace weft::functions {

/// In which operands the function is linear: partial sums pass through these.
enum class Linear : std::uint8_t {
    none,
    first,   ///< a / b
    second,  ///< a chooses where b counts
    product, ///< in each alone
    sum      ///< in both together
};

/// A derivative as dy times a function of the operands (a, b).
struct Derivative {
    std::string_view op = {}; ///< op that computes the factor; empty: the gradient has a rule of
                              ///< its own in ops/binary/pairs.cpp, or there is none
    bool isSwapped = false;   ///< the factor is a function of (b, a)
};

struct PairInfo {
    std::string_view name;  ///< names op and layer
    std::string_view title; ///< title of the layer; empty: no layer follows from the row
    std::string_view onnx = {};
    std::string_view help = {};
    std::array<std::string_view, 4> synonyms = {};              ///< up to the first empty one
    std::string_view a = "first operand", b = "second operand"; ///< help of the ports
    bool takesNumber = true; ///< a number can stand for one operand of the layer
    Linear linear = Linear::none;
    std::array<Derivative, 2> derivatives = {}; ///< by a and by b
    bool isCondition = false;                   ///< the result is 1 or 0 and has no gradient
    bool readsConditions = false;               ///< the tests give it operands of 1 and 0
    bool gradientJumps = false;                 ///< where the operands are equal
    bool samplesArePositive = false;            ///< the tests draw operands from (0.1, 2)
    std::int64_t flops = 1;                     ///< operations per element, a rough count
};

struct Subtract {
    static constexpr PairInfo pair{.name = "subtract",
                                   .title = "Subtract",
                                   .onnx = "Sub",
                                   .help =
                                       "y = a - b, element by element. PyTorch: sub; ONNX: Sub.",
                                   .synonyms = {"minus", "difference", "sub"},
                                   .a = "value to subtract from",
                                   .b = "value to subtract",
                                   .linear = Linear::sum};

    template <class M, class T>
    WEFT_FUNCTION T value(T a, T b) {
        return a - b;
    }
};

struct Multiply {
    static constexpr PairInfo pair{
        .name = "multiply",
        .title = "Multiply",
        .onnx = "Mul",
        .help = "y = a b, element by element, for example a gate. PyTorch: mul; ONNX: Mul.",
        .synonyms = {"product", "gate", "times", "mul"},
        .a = "first factor",
        .b = "second factor",
        .linear = Linear::product};

    template <class M, class T>
    WEFT_FUNCTION T value(T a, T b) {
        return a * b;
    }
};

struct Divide {
    static constexpr PairInfo pair{.name = "divide",
                                   .title = "Divide",
                                   .onnx = "Div",
                                   .help =
                                       "y = a / b, element by element. PyTorch: div; ONNX: Div.",
                                   .synonyms = {"quotient", "ratio", "div"},
                                   .a = "dividend",
                                   .b = "divisor",
                                   .linear = Linear::first,
                                   .samplesArePositive = true};

    template <class M, class T>
    WEFT_FUNCTION T value(T a, T b) {
        return a / b;
    }
};

/// The derivative of the maximum by its first operand; equal operands share the gradient, as in
/// PyTorch.
struct MaximumDerivative {
    static constexpr PairInfo pair{
        .name = "maximum_derivative",
        .title = "",
        .help = "1 where a is greater than b, 1/2 where they are equal, else 0.",
        .flops = 2};

    template <class M, class T>
    WEFT_FUNCTION T value(T a, T b) {
        return a > b ? T(1) : (a == b ? T(0.5) : T(0));
    }
};

struct Maximum {
    static constexpr PairInfo pair{
        .name = "maximum",
        .title = "Maximum",
        .onnx = "Max",
        .help = "y = the larger of a and b, element by element; NaN if one is NaN. Equal operands "
                "share the gradient. PyTorch: maximum; ONNX: Max.",
        .synonyms = {"max", "larger"},
        .derivatives = {Derivative{"maximum_derivative"}, Derivative{"maximum_derivative", true}},
        .gradientJumps = true};

    template <class M, class T>
    WEFT_FUNCTION T value(T a, T b) {
        return a > b || a != a ? a : b;
    }
};

struct Minimum {
    static constexpr PairInfo pair{
        .name = "minimum",
        .title = "Minimum",
        .onnx = "Min",
        .help = "y = the smaller of a and b, element by element; NaN if one is NaN. Equal operands "
                "share the gradient. PyTorch: minimum; ONNX: Min.",
        .synonyms = {"min", "smaller"},
        .derivatives = {Derivative{"maximum_derivative", true}, Derivative{"maximum_derivative"}},
        .gradientJumps = true};

    template <class M, class T>
    WEFT_FUNCTION T value(T a, T b) {
        return a < b || a != a ? a : b;
    }
};

struct PowBaseDerivative {
    static constexpr PairInfo pair{.name = "pow_base_derivative",
                                   .title = "",
                                   .help = "b a^(b - 1): the derivative of a^b by the base.",
                                   .samplesArePositive = true,
                                   .flops = 42};

    template <class M, class T>
    WEFT_FUNCTION T value(T a, T b) {
        return b == 0 ? T(0) : b * M::power(a, b - 1);
    }
};

struct PowExponentDerivative {
    static constexpr PairInfo pair{
        .name = "pow_exponent_derivative",
        .title = "",
        .help = "a^b ln a: the derivative of a^b by the exponent; 0 for a = 0 and b >= 0.",
        .samplesArePositive = true,
        .flops = 50};

    template <class M, class T>
    WEFT_FUNCTION T value(T a, T b) {
        const T derivative = M::power(a, b) * M::log(a);
        return a == 0 && b >= 0 ? T(0) : derivative;
    }
};

struct Pow {
    static constexpr PairInfo pair{
        .name = "pow",
        .title = "Power of two values",
        .onnx = "Pow",
        .help = "y = a^b, element by element; NaN for a < 0 unless b is whole. PyTorch: pow; ONNX: "
                "Pow.",
        .synonyms = {"power", "exponentiation"},
        .a = "base",
        .b = "exponent",
        .derivatives = {Derivative{"pow_base_derivative"}, Derivative{"pow_exponent_derivative"}},
        .samplesArePositive = true,
        .flops = 40};

    template <class M, class T>
    WEFT_FUNCTION T value(T a, T b) {
        return M::power(a, b);
    }
};

struct Equal {
    static constexpr PairInfo pair{
        .name = "equal",
        .title = "Equal",
        .onnx = "Equal",
        .help = "y = 1 where a equals b, else 0, as a number of a's type; no gradient flows. "
                "PyTorch: eq; ONNX: Equal.",
        .synonyms = {"eq", "compare"},
        .isCondition = true,
        .readsConditions = true};

    template <class M, class T>
    WEFT_FUNCTION T value(T a, T b) {
        return a == b ? T(1) : T(0);
    }
};

struct Less {
    static constexpr PairInfo pair{
        .name = "less",
        .title = "Less",
        .onnx = "Less",
        .help = "y = 1 where a is less than b, else 0, as a number of a's type; no gradient flows. "
                "PyTorch: lt; ONNX: Less.",
        .synonyms = {"lt", "smaller than", "compare"},
        .isCondition = true};

    template <class M, class T>
    WEFT_FUNCTION T value(T a, T b) {
        return a < b ? T(1) : T(0);
    }
};

struct Greater {
    static constexpr PairInfo pair{
        .name = "greater",
        .title = "Greater",
        .onnx = "Greater",
        .help = "y = 1 where a is greater than b, else 0, as a number of a's type; no gradient "
                "flows. PyTorch: gt; ONNX: Greater.",
        .synonyms = {"gt", "larger than", "compare"},
        .isCondition = true};

    template <class M, class T>
    WEFT_FUNCTION T value(T a, T b) {
        return a > b ? T(1) : T(0);
    }
};

struct And {
    static constexpr PairInfo pair{
        .name = "and",
        .title = "And",
        .onnx = "And",
        .help = "y = 1 where neither a nor b is 0, else 0; no gradient flows. PyTorch: "
                "logical_and; ONNX: And.",
        .synonyms = {"logical and", "both"},
        .a = "condition: 0, or another number for true",
        .b = "condition: 0, or another number for true",
        .takesNumber = false,
        .isCondition = true,
        .readsConditions = true};

    template <class M, class T>
    WEFT_FUNCTION T value(T a, T b) {
        return a != 0 && b != 0 ? T(1) : T(0);
    }
};

struct Or {
    static constexpr PairInfo pair{
        .name = "or",
        .title = "Or",
        .onnx = "Or",
        .help =
            "y = 1 where a or b is not 0, else 0; no gradient flows. PyTorch: logical_or; ONNX: "
            "Or.",
        .synonyms = {"logical or", "either"},
        .a = "condition: 0, or another number for true",
        .b = "condition: 0, or another number for true",
        .takesNumber = false,
        .isCondition = true,
        .readsConditions = true};

    template <class M, class T>
    WEFT_FUNCTION T value(T a, T b) {
        return a != 0 || b != 0 ? T(1) : T(0);
    }
};

/// The two terms of `where`: exact also for infinite numbers, which no product with 0 is.
struct KeepWhere {
    static constexpr PairInfo pair{.name = "keep_where",
                                   .title = "",
                                   .help = "y = b where the condition a is not 0, else 0.",
                                   .linear = Linear::second,
                                   .readsConditions = true};

    template <class M, class T>
    WEFT_FUNCTION T value(T a, T b) {
        return a != 0 ? b : T(0);
    }
};

struct DropWhere {
    static constexpr PairInfo pair{.name = "drop_where",
                                   .title = "",
                                   .help = "y = 0 where the condition a is not 0, else b.",
                                   .linear = Linear::second,
                                   .readsConditions = true};

    template <class M, class T>
    WEFT_FUNCTION T value(T a, T b) {
        return a != 0 ? T(0) : b;
    }
};

} // namespace weft::functions
