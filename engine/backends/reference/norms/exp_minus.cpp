// SPDX-License-Identifier: Apache-2.0
// y = exp(x - s), x / s, x - s, x s, with one s per row of the last dim
#include "backends/reference/reference_kernel.h"

#include <cmath>

namespace weft::reference {

namespace {

template <class Compute>
void addPerRow(KernelList& list, const std::string& op, Compute compute) {
    addKernel(list, op, [compute]<class T>(const Call<T>& call) {
        const std::int64_t d = call.input(0).shape.back();
        for (std::int64_t k = 0; k < call.output().elements(); ++k) {
            call.out()[k] = compute(call.in(0)[k], call.in(1)[k / d]);
        }
    });
}

} // namespace

void exp_minus(KernelList& list) {
    addPerRow(list, "exp_minus", [](auto x, auto s) { return std::exp(x - s); });
    addPerRow(list, "divide_rows", [](auto x, auto s) { return x / s; });
    addPerRow(list, "subtract_rows", [](auto x, auto s) { return x - s; });
    addPerRow(list, "multiply_rows", [](auto x, auto s) { return x * s; });
}

} // namespace weft::reference
