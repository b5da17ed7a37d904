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

} // namespace weft::functions
