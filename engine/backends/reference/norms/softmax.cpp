// SPDX-License-Identifier: Apache-2.0
// y = exp(x - max x) / its sum; dx = y (dy - sum of y dy), row by row
#include "backends/reference/reference_kernel.h"

#include <cmath>

namespace weft::reference {

void softmax(KernelList& list) {
    addKernel(list, "softmax", []<class T>(const Call<T>& call) {
        const std::int64_t d = call.input(0).shape.back();
        for (std::int64_t row = 0; row < rowsOf(call.input(0).shape); ++row) {
            const T* x = call.in(0) + row * d;
            const T m = *std::max_element(x, x + d);
            double sum = 0;
            for (std::int64_t k = 0; k < d; ++k) {
                sum += std::exp(static_cast<double>(x[k]) - m);
            }
            for (std::int64_t k = 0; k < d; ++k) {
                call.out()[row * d + k] =
                    static_cast<T>(std::exp(static_cast<double>(x[k]) - m) / sum);
            }
        }
    });
    addKernel(list, "softmax_gradient", []<class T>(const Call<T>& call) {
        const std::int64_t d = call.input(0).shape.back();
        for (std::int64_t row = 0; row < rowsOf(call.input(0).shape); ++row) {
            const T* y = call.in(0) + row * d;
            const T* dy = call.in(1) + row * d;
            double t = 0;
            for (std::int64_t k = 0; k < d; ++k) {
                t += static_cast<double>(y[k]) * dy[k];
            }
            for (std::int64_t k = 0; k < d; ++k) {
                call.out()[row * d + k] = static_cast<T>(y[k] * (dy[k] - t));
            }
        }
    });
}

} // namespace weft::reference
