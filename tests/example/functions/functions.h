// SPDX-License-Identifier: Apache-2.0
#pragma once
// tanh_shrink: y = x - tanh(x)
#include "functions/table.h"

namespace weft::example::functions {

using namespace weft::functions;

struct TanhShrink {
    static constexpr Info info{
        .name = "tanh_shrink",
        .title = "Tanhshrink",
        .help = "y = x - tanh(x), elementwise. PyTorch: Tanhshrink; ONNX: Sub and Tanh.",
        .flops = 11,
        .gradientFlops = 12};

    template <class M, class T>
    WEFT_FUNCTION T value(T x) {
        return x - M::tanh(x);
    }
    template <class M, class T>
    WEFT_FUNCTION T gradient(T x, T dy) {
        const T t = M::tanh(x);
        return dy * t * t;
    }
};

using All = Rows<TanhShrink>;

} // namespace weft::example::functions
