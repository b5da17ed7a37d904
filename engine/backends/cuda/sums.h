// SPDX-License-Identifier: Apache-2.0
#pragma once
// Makers of sums over whole operands and over rows.

#include "backends/cuda/kernels/row_sums.h"
#include "backends/cuda/kernels/whole_sums.h"
#include "backends/cuda/request.h"

namespace weft::cuda {

/// Sums all elements of the first operand. `put` sets the addresses of a call.
template <class Put>
[[nodiscard]] ChoiceOrRefusal wholeSumOf(const KernelRequest& request, WholeSum sum, Put put) {
    sum.n = request.inputs[0].elements();
    const auto run = [=](const KernelArguments& arguments) {
        WholeSum of = sum;
        put(of, arguments);
        launchWholeSum(of, arguments.scratch, output<float>(arguments, 0), streamOf(arguments));
    };
    return allPlain(request, choiceOf(run, {wholeSumScratch(sum.n)}));
}

/// One number per row of operand `x`.
template <class Put>
[[nodiscard]] ChoiceOrRefusal rowSumsOf(const KernelRequest& request, RowSum sum, std::size_t x,
                                        Put put) {
    sum.d = request.inputs[x].shape.back();
    sum.rows = request.inputs[x].elements() / sum.d;
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        RowSum of = sum;
                        put(of, arguments);
                        launchRowSums(of, output<float>(arguments, 0), streamOf(arguments));
                    }));
}

} // namespace weft::cuda
