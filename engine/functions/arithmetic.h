// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rows of logarithms, roots, powers and other functions that are no activations.

#include "functions/row.h"

namespace weft::functions {

struct Log {
    static constexpr Info info{.name = "log",
                               .title = "Logarithm",
                               .onnx = "Log",
                               .category = "elementwise",
                               .help = "y = ln x, elementwise; NaN for x < 0. PyTorch: log; ONNX: "
                                       "Log.",
                               .synonyms = {"natural logarithm", "ln"},
                               .flops = 8,
                               .samplesArePositive = true};

    template <class M, class T>
    WEFT_FUNCTION T value(T x) {
        return M::log(x);
    }
    template <class M, class T>
    WEFT_FUNCTION T gradient(T x, T dy) {
        return dy / x;
    }
};

struct Exp {
    static constexpr Info info{.name = "exp",
                               .title = "Exponential",
                               .onnx = "Exp",
                               .category = "elementwise",
                               .help = "y = e^x, elementwise. PyTorch: exp; ONNX: Exp.",
                               .reads = Reads::y,
                               .flops = 8,
                               .hasBilinearGradient = true};

    template <class M, class T>
    WEFT_FUNCTION T value(T x) {
        return M::exp(x);
    }
    template <class M, class T>
    WEFT_FUNCTION T gradient(T y, T dy) {
        return dy * y;
    }
};

struct Square {
    static constexpr Info info{
        .name = "square",
        .title = "Square",
        .category = "elementwise",
        .help = "y = x^2, elementwise. PyTorch: square; ONNX: Mul of x with itself.",
        .gradientFlops = 2,
        .hasBilinearGradient = true};

    template <class M, class T>
    WEFT_FUNCTION T value(T x) {
        return x * x;
    }
    template <class M, class T>
    WEFT_FUNCTION T gradient(T x, T dy) {
        return 2 * (dy * x);
    }
};

struct Sqrt {
    static constexpr Info info{
        .name = "sqrt",
        .title = "Square root",
        .onnx = "Sqrt",
        .category = "elementwise",
        .help = "y = the square root of x, elementwise; NaN for x < 0. PyTorch: sqrt; ONNX: Sqrt.",
        .reads = Reads::y,
        .flops = 2,
        .gradientFlops = 2,
        .samplesArePositive = true};

    template <class M, class T>
    WEFT_FUNCTION T value(T x) {
        return M::sqrt(x);
    }
    template <class M, class T>
    WEFT_FUNCTION T gradient(T y, T dy) {
        return T(0.5) * dy / y;
    }
};

struct Abs {
    static constexpr Info info{
        .name = "abs",
        .title = "Absolute value",
        .onnx = "Abs",
        .category = "elementwise",
        .help = "y = |x|, elementwise; its gradient is 0 at 0. PyTorch: abs; ONNX: Abs.",
        .synonyms = {"magnitude"},
        .gradientFlops = 2};

    template <class M, class T>
    WEFT_FUNCTION T value(T x) {
        return M::abs(x);
    }
    template <class M, class T>
    WEFT_FUNCTION T gradient(T x, T dy) {
        return x == 0 ? T(0) : (x < 0 ? -dy : dy);
    }
    static int piece(double x) {
        return x < 0 ? 0 : (x > 0 ? 2 : 1);
    } ///< index of the linear piece
};

struct Neg {
    static constexpr Info info{.name = "neg",
                               .title = "Negative",
                               .onnx = "Neg",
                               .category = "elementwise",
                               .help = "y = -x, elementwise. PyTorch: neg; ONNX: Neg.",
                               .synonyms = {"minus", "negate"},
                               .reads = Reads::nothing};

    template <class M, class T>
    WEFT_FUNCTION T value(T x) {
        return -x;
    }
};

struct Reciprocal {
    static constexpr Info info{.name = "reciprocal",
                               .title = "Reciprocal",
                               .onnx = "Reciprocal",
                               .category = "elementwise",
                               .help =
                                   "y = 1 / x, elementwise. PyTorch: reciprocal; ONNX: Reciprocal.",
                               .synonyms = {"inverse", "1/x"},
                               .reads = Reads::y,
                               .gradientFlops = 3,
                               .samplesArePositive = true};

    template <class M, class T>
    WEFT_FUNCTION T value(T x) {
        return 1 / x;
    }
    template <class M, class T>
    WEFT_FUNCTION T gradient(T y, T dy) {
        return -dy * y * y;
    }
};

struct Sin {
    static constexpr Info info{.name = "sin",
                               .title = "Sine",
                               .onnx = "Sin",
                               .category = "elementwise",
                               .help = "y = sin x, x in radians. PyTorch: sin; ONNX: Sin.",
                               .flops = 40,
                               .gradientFlops = 41};

    template <class M, class T>
    WEFT_FUNCTION T value(T x) {
        return M::sin(x);
    }
    template <class M, class T>
    WEFT_FUNCTION T gradient(T x, T dy) {
        return dy * M::cos(x);
    }
};

struct Cos {
    static constexpr Info info{.name = "cos",
                               .title = "Cosine",
                               .onnx = "Cos",
                               .category = "elementwise",
                               .help = "y = cos x, x in radians. PyTorch: cos; ONNX: Cos.",
                               .flops = 40,
                               .gradientFlops = 41};

    template <class M, class T>
    WEFT_FUNCTION T value(T x) {
        return M::cos(x);
    }
    template <class M, class T>
    WEFT_FUNCTION T gradient(T x, T dy) {
        return -dy * M::sin(x);
    }
};

struct Erf {
    static constexpr Info info{
        .name = "erf",
        .title = "Error function",
        .onnx = "Erf",
        .category = "elementwise",
        .help = "y = erf(x), the Gauss error function, elementwise. PyTorch: erf; ONNX: Erf.",
        .flops = 12,
        .gradientFlops = 12};

    template <class M, class T>
    WEFT_FUNCTION T value(T x) {
        return M::erf(x);
    }
    template <class M, class T>
    WEFT_FUNCTION T gradient(T x, T dy) {
        return dy * T(1.1283791670955125738961589031215) * M::exp(-x * x); // 2 / sqrt(pi)
    }
};

struct Power {
    static constexpr Info info{
        .name = "power",
        .title = "Power",
        .onnx = "Pow",
        .category = "elementwise",
        .help = "y = x^exponent, elementwise, with one exponent for all; NaN for x < 0 unless the "
                "exponent is whole. PyTorch: pow; ONNX: Pow.",
        .synonyms = {"Pow", "exponentiation"},
        .numbers = {Number{.name = "exponent",
                           .defaultValue = 2,
                           .help = "Power to which x is raised.",
                           .sample = 1.7}},
        .flops = 40,
        .gradientFlops = 42,
        .samplesArePositive = true};

    template <class M, class T>
    WEFT_FUNCTION T value(T x, T exponent) {
        return M::power(x, exponent);
    }
    template <class M, class T>
    WEFT_FUNCTION T gradient(T x, T dy, T exponent) {
        return exponent == 0 ? T(0) : dy * (exponent * M::power(x, exponent - 1));
    }
};

struct ReciprocalRoot { // an op of norms only
    static constexpr Info info{
        .name = "reciprocal_root",
        .title = "",
        .help = "y = 1 / sqrt(x + epsilon), element by element.",
        .numbers = {Number{.name = "epsilon",
                           .help = "Added before the square root for numerical stability.",
                           .sample = 0.01}},
        .reads = Reads::y,
        .flops = 3,
        .gradientFlops = 4,
        .samplesArePositive = true};

    template <class M, class T>
    WEFT_FUNCTION T value(T x, T epsilon) {
        return 1 / M::sqrt(x + epsilon);
    }
    template <class M, class T>
    WEFT_FUNCTION T gradient(T y, T dy, T) {
        return T(-0.5) * (dy * (y * y * y));
    }
};

// Functions of two operands of which one is a number. They are ops of the layers in
// functions/pairs.h, and have no layer of their own.

struct AddNumber {
    static constexpr Info info{
        .name = "add_number",
        .title = "",
        .onnx = "Add",
        .help = "y = x + number, element by element.",
        .numbers = {Number{.name = "number", .help = "Number to add.", .sample = 0.7}},
        .reads = Reads::onlyDy};

    template <class M, class T>
    WEFT_FUNCTION T value(T x, T number) {
        return x + number;
    }
};

struct MaximumNumber {
    static constexpr Info info{
        .name = "maximum_number",
        .title = "",
        .onnx = "Max",
        .help = "y = the larger of x and a number, element by element.",
        .numbers = {Number{.name = "number", .help = "Least result.", .sample = 0.2}},
        .gradientFlops = 2};

    template <class M, class T>
    WEFT_FUNCTION T value(T x, T number) {
        return x < number ? number : x;
    }
    template <class M, class T>
    WEFT_FUNCTION T gradient(T x, T dy, T number) {
        return x > number ? dy : (x == number ? dy / 2 : T(0));
    }
    static int piece(double x, double number) { return x < number ? 0 : (x > number ? 2 : 1); }
};

struct MinimumNumber {
    static constexpr Info info{
        .name = "minimum_number",
        .title = "",
        .onnx = "Min",
        .help = "y = the smaller of x and a number, element by element.",
        .numbers = {Number{.name = "number", .help = "Largest result.", .sample = 0.2}},
        .gradientFlops = 2};

    template <class M, class T>
    WEFT_FUNCTION T value(T x, T number) {
        return x > number ? number : x;
    }
    template <class M, class T>
    WEFT_FUNCTION T gradient(T x, T dy, T number) {
        return x < number ? dy : (x == number ? dy / 2 : T(0));
    }
    static int piece(double x, double number) { return x < number ? 0 : (x > number ? 2 : 1); }
};

struct EqualNumber {
    static constexpr Info info{
        .name = "equal_number",
        .title = "",
        .onnx = "Equal",
        .help = "y = 1 where x equals a number, else 0; no gradient flows.",
        .numbers = {Number{.name = "number", .help = "Number to compare with.", .sample = 1}},
        .reads = Reads::none,
        .samplesAreConditions = true};

    template <class M, class T>
    WEFT_FUNCTION T value(T x, T number) {
        return x == number ? T(1) : T(0);
    }
};

struct LessNumber {
    static constexpr Info info{
        .name = "less_number",
        .title = "",
        .onnx = "Less",
        .help = "y = 1 where x is less than a number, else 0; no gradient flows.",
        .numbers = {Number{.name = "number", .help = "Number to compare with.", .sample = 0.2}},
        .reads = Reads::none};

    template <class M, class T>
    WEFT_FUNCTION T value(T x, T number) {
        return x < number ? T(1) : T(0);
    }
};

struct GreaterNumber {
    static constexpr Info info{
        .name = "greater_number",
        .title = "",
        .onnx = "Greater",
        .help = "y = 1 where x is greater than a number, else 0; no gradient flows.",
        .numbers = {Number{.name = "number", .help = "Number to compare with.", .sample = 0.2}},
        .reads = Reads::none};

    template <class M, class T>
    WEFT_FUNCTION T value(T x, T number) {
        return x > number ? T(1) : T(0);
    }
};

struct DropNumber {
    static constexpr Info info{
        .name = "drop_number",
        .title = "",
        .help = "y = 0 where the condition x is not 0, else a number; no gradient flows.",
        .numbers = {Number{.name = "number", .help = "Number where x is 0.", .sample = 0.7}},
        .reads = Reads::none,
        .samplesAreConditions = true};

    template <class M, class T>
    WEFT_FUNCTION T value(T x, T number) {
        return x != 0 ? T(0) : number;
    }
};

struct NormRoot { // an op of reduce_l2 only
    static constexpr Info info{
        .name = "norm_root",
        .title = "",
        .help = "y = the square root of a sum of squares; its gradient is 0 at 0.",
        .reads = Reads::y,
        .flops = 2,
        .gradientFlops = 2,
        .samplesArePositive = true};

    template <class M, class T>
    WEFT_FUNCTION T value(T x) {
        return M::sqrt(x);
    }
    template <class M, class T>
    WEFT_FUNCTION T gradient(T y, T dy) {
        return y == 0 ? T(0) : T(0.5) * dy / y;
    }
};

} // namespace weft::functions
