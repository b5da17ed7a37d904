// SPDX-License-Identifier: Apache-2.0
// y[b, c] = sum of x over its positions / the whole count; dx = dy / the whole count.
#include "backends/reference/reference_kernel.h"

namespace weft::reference {

void global_average_pool(KernelList& list) {
    addKernel(list, "global_average_pool", []<class T>(const Call<T>& call) {
        const T* x = call.in(0);
        T* y = call.out();
        const std::int64_t positions = product(call.input(0).shape, 2, 4);
        const auto count = static_cast<double>(product(call.input(0).whole, 2, 4));
        for (std::int64_t map = 0; map < call.output().elements(); ++map) {
            double sum = 0;
            for (std::int64_t k = 0; k < positions; ++k) {
                sum += x[map * positions + k];
            }
            y[map] = static_cast<T>(sum / count);
        }
    });
    addKernel(list, "global_average_pool_gradient", []<class T>(const Call<T>& call) {
        const T* dy = call.in(0);
        T* dx = call.out();
        const std::int64_t positions = product(call.output().shape, 2, 4);
        const auto count = static_cast<T>(product(call.output().whole, 2, 4));
        for (std::int64_t element = 0; element < call.output().elements(); ++element) {
            dx[element] = dy[element / positions] / count;
        }
    });
}

} // namespace weft::reference
