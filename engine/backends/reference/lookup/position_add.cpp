// SPDX-License-Identifier: Apache-2.0
// y[b] = x[b] + table; dtable = sum over b of dy[b]
#include "backends/reference/reference_kernel.h"

namespace weft::reference {

void position_add(KernelList& list) {
    addKernel(list, "position_add", []<class T>(const Call<T>& call) {
        const std::int64_t size = call.input(1).elements();
        for (std::int64_t k = 0; k < call.output().elements(); ++k) {
            call.out()[k] = call.in(0)[k] + call.in(1)[k % size];
        }
    });
    addKernel(list, "position_gradient", []<class T>(const Call<T>& call) {
        const std::int64_t size = call.output().elements();
        for (std::int64_t k = 0; k < size; ++k) {
            double sum = 0;
            for (std::int64_t b = 0; b < call.input(0).shape[0]; ++b) {
                sum += call.in(0)[b * size + k];
            }
            call.out()[k] = static_cast<T>(sum);
        }
    });
}

} // namespace weft::reference
