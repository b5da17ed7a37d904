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
    static int piece(double y) { return y > 0 ? 1 : 0; } ///< index of the linear piece
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

struct LeakyRelu {
    static constexpr Info info{
        .name = "leaky_relu",
        .title = "Leaky ReLU",
        .onnx = "LeakyRelu",
        .help = "Leaky ReLU: y = x where x > 0, else negative_slope x. PyTorch: LeakyReLU; ONNX: "
                "LeakyRelu, whose alpha is negative_slope.",
        .synonyms = {"LeakyReLU"},
        .numbers = {Number{.name = "negative_slope",
                           .defaultValue = 0.01,
                           .help = "Slope for negative x.",
                           .sample = 0.3,
                           .least = 0}},
        .reads = Reads::y};

    template <class M, class T>
    WEFT_FUNCTION T value(T x, T slope) {
        return x < 0 ? slope * x : x;
    }
    template <class M, class T>
    WEFT_FUNCTION T gradient(T y, T dy, T slope) {
        return y <= 0 ? slope * dy : dy;
    }
    static int piece(double y, double /*slope*/) { return y > 0 ? 1 : 0; } ///< index
};

struct Elu {
    static constexpr Info info{
        .name = "elu",
        .title = "ELU",
        .onnx = "Elu",
        .help = "ELU: y = x where x > 0, else alpha (exp(x) - 1). PyTorch: ELU; ONNX: Elu.",
        .synonyms = {"exponential linear unit"},
        .numbers = {Number{.name = "alpha",
                           .defaultValue = 1,
                           .help = "The limit for very negative x is -alpha.",
                           .sample = 0.6,
                           .least = 0}},
        .reads = Reads::y,
        .flops = 10,
        .gradientFlops = 3};

    template <class M, class T>
    WEFT_FUNCTION T value(T x, T alpha) {
        return x > 0 ? x : alpha * M::expMinusOne(x);
    }
    template <class M, class T>
    WEFT_FUNCTION T gradient(T y, T dy, T alpha) {
        return y > 0 ? dy : dy * (y + alpha);
    }
    static int piece(double y, double /*alpha*/) { return y > 0 ? 1 : 0; } ///< index
};

struct Selu {
    static constexpr Info info{
        .name = "selu",
        .title = "SELU",
        .onnx = "Selu",
        .help = "SELU: y = 1.0507 times ELU with alpha 1.67326, which keeps mean 0 and variance 1 "
                "from layer to layer. PyTorch: SELU; ONNX: Selu with its default numbers.",
        .synonyms = {"scaled exponential linear unit", "self-normalizing"},
        .reads = Reads::y,
        .flops = 11,
        .gradientFlops = 3};
    static constexpr double scale = 1.0507009873554804934193349852946;
    static constexpr double alpha = 1.6732632423543772848170429916717;

    template <class M, class T>
    WEFT_FUNCTION T value(T x) {
        return x > 0 ? T(scale) * x : T(scale * alpha) * M::expMinusOne(x);
    }
    template <class M, class T>
    WEFT_FUNCTION T gradient(T y, T dy) {
        return y > 0 ? T(scale) * dy : dy * (y + T(scale * alpha));
    }
    static int piece(double y) { return y > 0 ? 1 : 0; } ///< index of the linear piece
};

struct Silu {
    static constexpr Info info{
        .name = "silu",
        .title = "SiLU",
        .onnx = "Swish",
        .help = "SiLU, or Swish: y = x sigmoid(x), elementwise. PyTorch: SiLU; ONNX: Swish.",
        .synonyms = {"Swish", "sigmoid linear unit"},
        .flops = 11,
        .gradientFlops = 15};

    template <class M, class T>
    WEFT_FUNCTION T value(T x) {
        return x / (1 + M::exp(-x));
    }
    template <class M, class T>
    WEFT_FUNCTION T gradient(T x, T dy) {
        const T gate = 1 / (1 + M::exp(-x));
        return dy * (gate * (1 + x * (1 - gate)));
    }
};

struct Mish {
    static constexpr Info info{
        .name = "mish",
        .title = "Mish",
        .onnx = "Mish",
        .help = "Mish: y = x tanh(softplus(x)), elementwise. PyTorch and ONNX: Mish.",
        .flops = 16,
        .gradientFlops = 20};

    /// tanh(softplus(x)) = n / d; e = exp(-|x|) cannot overflow.
    template <class T>
    struct Gate {
        T e, n, d; ///< e = exp(-|x|); n, d: numerator and denominator
    };
    template <class M, class T>
    WEFT_FUNCTION Gate<T> gateOf(T x) {
        const T e = M::exp(-M::abs(x));
        const T n = x < 0 ? e * (e + 2) : 1 + 2 * e;
        return {e, n, x < 0 ? n + 2 : n + 2 * e * e};
    }
    template <class M, class T>
    WEFT_FUNCTION T value(T x) {
        const Gate<T> gate = gateOf<M>(x);
        return x * (gate.n / gate.d);
    }
    template <class M, class T>
    WEFT_FUNCTION T gradient(T x, T dy) {
        const Gate<T> gate = gateOf<M>(x);
        const T sigmoid = (x < 0 ? gate.e : T(1)) / (1 + gate.e);
        // 1 - tanh^2 = (d - n) (d + n) / d^2, without cancellation
        const T apart = x < 0 ? T(2) : 2 * gate.e * gate.e;
        const T steepness = apart * (gate.d + gate.n) / (gate.d * gate.d);
        return dy * (gate.n / gate.d + x * sigmoid * steepness);
    }
};

struct Softplus {
    static constexpr Info info{
        .name = "softplus",
        .title = "Softplus",
        .onnx = "Softplus",
        .help = "Softplus: y = log(1 + exp(beta x)) / beta, a smooth ReLU. PyTorch: Softplus; "
                "ONNX: Softplus with beta 1.",
        .numbers = {Number{.name = "beta",
                           .defaultValue = 1,
                           .help = "The larger, the closer to ReLU.",
                           .sample = 1.5,
                           .above = 0}},
        .reads = Reads::y,
        .flops = 20,
        .gradientFlops = 12};

    template <class M, class T>
    WEFT_FUNCTION T value(T x, T beta) {
        const T t = beta * x;
        return ((t > 0 ? t : T(0)) + M::logOnePlus(M::exp(-M::abs(t)))) / beta;
    }
    /// sigmoid(beta x) = 1 - exp(-beta y)
    template <class M, class T>
    WEFT_FUNCTION T gradient(T y, T dy, T beta) {
        return -dy * M::expMinusOne(-beta * y);
    }
};

struct Softsign {
    static constexpr Info info{
        .name = "softsign",
        .title = "Softsign",
        .onnx = "Softsign",
        .help = "Softsign: y = x / (1 + |x|), elementwise. PyTorch and ONNX: Softsign.",
        .flops = 3,
        .gradientFlops = 4};

    template <class M, class T>
    WEFT_FUNCTION T value(T x) {
        return x / (1 + M::abs(x));
    }
    template <class M, class T>
    WEFT_FUNCTION T gradient(T x, T dy) {
        const T size = 1 + M::abs(x);
        return dy / size / size;
    }
};

struct HardSigmoid {
    static constexpr Info info{
        .name = "hard_sigmoid",
        .title = "Hard sigmoid",
        .onnx = "HardSigmoid",
        .help = "Hard sigmoid: y = alpha x + beta, limited to [0, 1]. PyTorch: Hardsigmoid, with "
                "these defaults; ONNX: HardSigmoid, whose default alpha is 0.2.",
        .synonyms = {"Hardsigmoid"},
        .numbers = {Number{.name = "alpha",
                           .defaultValue = 1.0 / 6,
                           .help = "Slope between the limits.",
                           .sample = 0.7,
                           .above = 0},
                    Number{.name = "beta",
                           .defaultValue = 0.5,
                           .help = "Result at x = 0.",
                           .sample = 0.4}},
        .flops = 4,
        .gradientFlops = 5};

    template <class M, class T>
    WEFT_FUNCTION T value(T x, T alpha, T beta) {
        const T y = alpha * x + beta;
        return y < 0 ? T(0) : (y > 1 ? T(1) : y);
    }
    template <class M, class T>
    WEFT_FUNCTION T gradient(T x, T dy, T alpha, T beta) {
        const T y = alpha * x + beta;
        return y <= 0 ? T(0) : (y >= 1 ? T(0) : alpha * dy);
    }
    static int piece(double x, double alpha, double beta) {
        const double y = alpha * x + beta;
        return y <= 0 ? 0 : (y < 1 ? 1 : 2);
    }
};

struct HardSwish {
    static constexpr Info info{
        .name = "hard_swish",
        .title = "Hard swish",
        .onnx = "HardSwish",
        .help = "Hard swish: y = x times the hard sigmoid of x, x (x + 3) / 6 between -3 and 3. "
                "PyTorch: Hardswish; ONNX: HardSwish.",
        .synonyms = {"Hardswish"},
        .flops = 5,
        .gradientFlops = 5,
        .sampleScale = 3};

    template <class M, class T>
    WEFT_FUNCTION T value(T x) {
        return x <= -3 ? T(0) : (x >= 3 ? x : x * (x + 3) / 6);
    }
    template <class M, class T>
    WEFT_FUNCTION T gradient(T x, T dy) {
        return x <= -3 ? T(0) : (x >= 3 ? dy : dy * (2 * x + 3) / 6);
    }
    static int piece(double x) { return x <= -3 ? 0 : (x < 3 ? 1 : 2); } ///< index of the piece
};

struct Clip {
    static constexpr Info info{
        .name = "clip",
        .title = "Clip",
        .onnx = "Clip",
        .help = "y = x limited to [min, max]; max everywhere if min exceeds it. The defaults give "
                "PyTorch's ReLU6; PyTorch: Hardtanh and clamp; ONNX: Clip.",
        .synonyms = {"ReLU6", "Hardtanh", "clamp"},
        .numbers =
            {Number{.name = "min", .defaultValue = 0, .help = "Least result.", .sample = -0.5},
             Number{.name = "max", .defaultValue = 6, .help = "Largest result.", .sample = 0.8}},
        .flops = 2,
        .gradientFlops = 3};

    template <class M, class T>
    WEFT_FUNCTION T value(T x, T least, T most) {
        const T y = x < least ? least : x;
        return y > most ? most : y;
    }
    /// Reads x, because a limit that y was rounded to in bf16 is not the limit.
    template <class M, class T>
    WEFT_FUNCTION T gradient(T x, T dy, T least, T most) {
        return x <= least ? T(0) : (x >= most ? T(0) : dy);
    }
    static int piece(double x, double least, double most) {
        return x <= least ? 0 : (x < most ? 1 : 2);
    }
};

} // namespace weft::functions
