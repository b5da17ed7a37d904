// SPDX-License-Identifier: Apache-2.0
// y = x0 + x1 + ..., from left to right
#include "backends/reference/reference_kernel.h"

namespace weft::reference {

void add(KernelList& list) {
    addKernel(list, "add", []<class T>(const Call<T>& call) {
        for (std::int64_t k = 0; k < call.output().elements(); ++k) {
            T sum = 0;
            for (std::size_t term = 0; term < call.inputs(); ++term) {
                sum += call.in(term)[k];
            }
            call.out()[k] = sum;
        }
    });
}

} // namespace weft::reference
