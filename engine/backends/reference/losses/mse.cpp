// SPDX-License-Identifier: Apache-2.0
// y = sum of (x - target)^2 / N; dx = 2 (x - target) dy / N, N the whole count
#include "backends/reference/reference_kernel.h"

namespace weft::reference {

void mse(KernelList& list) {
    addKernel(list, "mse", []<class T>(const Call<T>& call) {
        double sum = 0;
        for (std::int64_t k = 0; k < call.input(0).elements(); ++k) {
            const double error = static_cast<double>(call.in(0)[k]) - call.in(1)[k];
            sum += error * error;
        }
        *call.out() = static_cast<T>(sum / static_cast<double>(elementsOf(call.input(0).whole)));
    });
    addKernel(list, "mse_gradient", []<class T>(const Call<T>& call) {
        const T dy = *call.in(2);
        const auto count = static_cast<T>(elementsOf(call.input(0).whole));
        for (std::int64_t k = 0; k < call.output().elements(); ++k) {
            call.out()[k] = 2 * (call.in(0)[k] - call.in(1)[k]) * dy / count;
        }
    });
}

} // namespace weft::reference
