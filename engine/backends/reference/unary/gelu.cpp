// SPDX-License-Identifier: Apache-2.0
// y = x Phi(x); dx = dy (Phi(x) + x phi(x)): Phi and phi of the normal distribution
#include "backends/reference/elementwise.h"

#include <cmath>
#include <numbers>

namespace weft::reference {

void gelu(KernelList& list) {
    addUnary(list, "gelu", [](auto x) {
        using T = decltype(x);
        return x * T(0.5) * std::erfc(-x / std::numbers::sqrt2_v<T>);
    });
    addBinary(list, "gelu_gradient", [](auto x, auto dy) {
        using T = decltype(x);
        const T below = T(0.5) * std::erfc(-x / std::numbers::sqrt2_v<T>);
        const T density =
            std::exp(-x * x / 2) * std::numbers::inv_sqrtpi_v<T> / std::numbers::sqrt2_v<T>;
        return dy * (below + x * density);
    });
}

} // namespace weft::reference
