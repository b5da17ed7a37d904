// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rows of logarithms, roots, powers and other functions that are no activations.

#include "functions/row.h"

namespace weft::functions {

struct Log {
    static constexpr Info info{.name = "log",
                               .title = "",
                               .onnx = "Log",
                               .category = "elementwise",
                               .flops = 8,
                               .ofPositive = true};

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
                               .title = "",
                               .onnx = "Exp",
                               .category = "elementwise",
                               .reads = Reads::y,
                               .flops = 8};

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
        .name = "square", .title = "", .category = "elementwise", .gradientFlops = 2};

    template <class M, class T>
    WEFT_FUNCTION T value(T x) {
        return x * x;
    }
    template <class M, class T>
    WEFT_FUNCTION T gradient(T x, T dy) {
        return 2 * (dy * x);
    }
};

struct ReciprocalRoot { // an op of norms only
    static constexpr Info info{
        .name = "reciprocal_root",
        .title = "",
        .numbers = {Number{.name = "epsilon",
                           .help = "Added before the square root for numerical stability.",
                           .sample = 0.01}},
        .reads = Reads::y,
        .flops = 3,
        .gradientFlops = 4,
        .ofPositive = true};

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
