// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rows of activation functions. NaN stays NaN, and no finite x gives NaN.

#include "functions/row.h"

namespace weft::functions {

struct Relu {
    static constexpr Info info{.name = "relu",
                               .title = "ReLU",
                               .onnx = "Relu",
                               .help =
                                   "ReLU: y = max(x, 0), elementwise. PyTorch: ReLU; ONNX: Relu.",
                               .synonyms = {"rectifier", "rectified linear"},
                               .reads = Reads::y};

    template <class M, class T>
    WEFT_FUNCTION T value(T x) {
        return x < 0 ? T(0) : x;
    }
    template <class M, class T>
    WEFT_FUNCTION T gradient(T y, T dy) {
        return y <= 0 ? T(0) : dy;
    }
    static int piece(double y) { return y > 0 ? 1 : 0; }
};

struct Gelu {
    static constexpr Info info{
        .name = "gelu",
        .title = "GELU",
        .onnx = "Gelu",
        .help = "GELU: y = x Phi(x), where Phi is the standard normal CDF, computed exactly with "
                "erf. PyTorch: GELU with approximate=\"none\"; ONNX: Gelu.",
        .synonyms = {"gaussian error linear unit"},
        .flops = 14,
        .gradientFlops = 20};

    template <class M, class T>
    WEFT_FUNCTION T value(T x) {
        return x * M::normalBelow(x);
    }
    template <class M, class T>
    WEFT_FUNCTION T gradient(T x, T dy) {
        return dy * (M::normalBelow(x) + x * M::normalDensity(x));
    }
};

struct Tanh {
    static constexpr Info info{.name = "tanh",
                               .title = "Tanh",
                               .onnx = "Tanh",
                               .help = "Hyperbolic tangent, elementwise. PyTorch and ONNX: Tanh.",
                               .synonyms = {"hyperbolic tangent"},
                               .reads = Reads::y,
                               .flops = 10,
                               .gradientFlops = 3};

    template <class M, class T>
    WEFT_FUNCTION T value(T x) {
        return M::tanh(x);
    }
    template <class M, class T>
    WEFT_FUNCTION T gradient(T y, T dy) {
        return dy * (1 - y * y);
    }
};

struct Sigmoid {
    static constexpr Info info{
        .name = "sigmoid",
        .title = "Sigmoid",
        .onnx = "Sigmoid",
        .help = "Sigmoid: y = 1 / (1 + exp(-x)), elementwise. PyTorch and ONNX: Sigmoid.",
        .synonyms = {"logistic"},
        .reads = Reads::y,
        .flops = 10,
        .gradientFlops = 3};

    template <class M, class T>
    WEFT_FUNCTION T value(T x) {
        return 1 / (1 + M::exp(-x));
    }
    template <class M, class T>
    WEFT_FUNCTION T gradient(T y, T dy) {
        return dy * y * (1 - y);
    }
};

} // namespace weft::functions
