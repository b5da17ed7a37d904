// SPDX-License-Identifier: Apache-2.0
// y = x Phi(x); dx = dy (Phi(x) + x phi(x)): Phi and phi of the normal distribution.
#include "backends/cpu/elementwise.h"
#include "backends/cpu/functions.h"

#include <numbers>

namespace weft::cpu {

void gelu(KernelList& list);

namespace {

inline float __attribute__((always_inline)) normalDistribution(float x) {
    return 0.5F + 0.5F * errorFunction(x * (1 / std::numbers::sqrt2_v<float>));
}

} // namespace

void gelu(KernelList& list) {
    addElementwise<1>(
        list, "gelu",
        [](float x) __attribute__((always_inline)) { return x * normalDistribution(x); });
    addElementwise<2>(
        list, "gelu_gradient", [](float x, float dy) __attribute__((always_inline)) {
            constexpr float factor =
                std::numbers::inv_sqrtpi_v<float> / std::numbers::sqrt2_v<float>;
            return dy * (normalDistribution(x) + x * (factor * exponential(-0.5F * x * x)));
        });
}

} // namespace weft::cpu
