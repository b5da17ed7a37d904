// SPDX-License-Identifier: Apache-2.0
// y = sum, or maximum, of each row of the last dim
#include "backends/reference/reference_kernel.h"

namespace weft::reference {

void reduce_sum(KernelList& list) {
    addKernel(list, "reduce_sum", []<class T>(const Call<T>& call) {
        const std::int64_t d = call.input(0).shape.back();
        for (std::int64_t row = 0; row < rowsOf(call.input(0).shape); ++row) {
            double sum = 0;
            for (std::int64_t k = 0; k < d; ++k) {
                sum += call.in(0)[row * d + k];
            }
            call.out()[row] = static_cast<T>(sum);
        }
    });
    addKernel(list, "reduce_max", []<class T>(const Call<T>& call) {
        const std::int64_t d = call.input(0).shape.back();
        for (std::int64_t row = 0; row < rowsOf(call.input(0).shape); ++row) {
            const T* x = call.in(0) + row * d;
            call.out()[row] = *std::max_element(x, x + d);
        }
    });
}

} // namespace weft::reference
