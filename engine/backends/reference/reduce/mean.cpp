// SPDX-License-Identifier: Apache-2.0
// y = sum of x / N and dx = dy / N with the whole count N; sum_all and broadcast_all without it
#include "backends/reference/reference_kernel.h"

namespace weft::reference {

namespace {

template <bool isMean>
void addSum(KernelList& list, const std::string& op) {
    addKernel(list, op, []<class T>(const Call<T>& call) {
        double sum = 0;
        for (std::int64_t k = 0; k < call.input(0).elements(); ++k) {
            sum += call.in(0)[k];
        }
        const std::int64_t divisor = isMean ? elementsOf(call.input(0).whole) : 1;
        *call.out() = static_cast<T>(sum / static_cast<double>(divisor));
    });
}

template <bool isMean>
void addBroadcast(KernelList& list, const std::string& op) {
    addKernel(list, op, []<class T>(const Call<T>& call) {
        const std::int64_t divisor = isMean ? elementsOf(call.output().whole) : 1;
        std::fill_n(call.out(), call.output().elements(), *call.in(0) / static_cast<T>(divisor));
    });
}

} // namespace

void mean(KernelList& list) {
    addSum<true>(list, "mean");
    addBroadcast<true>(list, "mean_gradient");
    addSum<false>(list, "sum_all");
    addBroadcast<false>(list, "broadcast_all");
}

} // namespace weft::reference
