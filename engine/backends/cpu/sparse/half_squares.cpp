// SPDX-License-Identifier: Apache-2.0
// y[b] = sum of x^2 / 2 over the element, in double
#include "backends/cpu/per_element.h"

namespace weft::cpu {

void half_squares(KernelList& list);

namespace {

ChoiceOrRefusal chooseHalfSquares(const KernelRequest& request) {
    const auto format = batchContiguousFormat(request, request.inputs[0].shape);
    if (!format) {
        return refuse("batch elements are not contiguous in memory");
    }
    const BatchElements runs(request.inputs[0]);
    const int cores = request.cores;
    const auto run = [=](const KernelArguments& arguments) {
        const auto* const x = input<float>(arguments, 0);
        auto* const y = output<float>(arguments, 0);
        const auto squares = [=](std::int64_t begin, std::int64_t end)
            __attribute__((always_inline)) {
            double sum = 0;
#pragma omp simd reduction(+ : sum)
            for (std::int64_t k = begin; k < end; ++k) {
                const double number = x[k];
                sum += number * number;
            }
            return sum;
        };
        runs.sums(cores, arguments.scratch, squares, [=](std::int64_t element, double total) {
            y[element] = static_cast<float>(total / 2);
        });
    };
    return withFormats(request, choiceOf(run, runs.scratch()), {*format}, {});
}

} // namespace

void half_squares(KernelList& list) { list.add({"half_squares", "cpu", chooseHalfSquares}); }

} // namespace weft::cpu
