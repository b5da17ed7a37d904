// SPDX-License-Identifier: Apache-2.0
#pragma once
// Helpers for kernels that apply a function to every element.

#include "backends/reference/reference_kernel.h"

namespace weft::reference {

/// y[k] = compute(x[k]) for each element.
template <class Compute>
void addUnary(KernelList& list, const std::string& op, Compute compute) {
    addKernel(list, op, [compute]<class T>(const Call<T>& call) {
        for (std::int64_t k = 0; k < call.output().elements(); ++k) {
            call.out()[k] = compute(call.in(0)[k]);
        }
    });
}

/// y[k] = compute(a[k], b[k]) for each element.
template <class Compute>
void addBinary(KernelList& list, const std::string& op, Compute compute) {
    addKernel(list, op, [compute]<class T>(const Call<T>& call) {
        for (std::int64_t k = 0; k < call.output().elements(); ++k) {
            call.out()[k] = compute(call.in(0)[k], call.in(1)[k]);
        }
    });
}

} // namespace weft::reference
