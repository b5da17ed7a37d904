// SPDX-License-Identifier: Apache-2.0
// y[b] = x[b] + table; dtable = sum over b of dy[b]
#include "backends/cpu/elementwise.h"
#include "backends/cpu/sums.h"

namespace weft::cpu {

void position_add(KernelList& list);

namespace {

ChoiceOrRefusal chooseForward(const KernelRequest& request) {
    const std::int64_t size = request.inputs[1].elements();
    const std::int64_t rows = request.inputs[0].elements() / size;
    const int cores = request.cores;
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        const auto* const x = input<float>(arguments, 0);
                        const auto* const table = input<float>(arguments, 1);
                        auto* const y = output<float>(arguments, 0);
                        onElements(
                            cores, size, static_cast<int>(2 * rows + 1),
                            [=](std::int64_t begin, std::int64_t end)
                                __attribute__((always_inline)) {
                                    for (std::int64_t row = 0; row < rows; ++row) {
                                        const float* const from = x + row * size;
                                        float* const to = y + row * size;
#pragma omp simd
                                        for (std::int64_t k = begin; k < end; ++k) {
                                            to[k] = from[k] + table[k];
                                        }
                                    }
                                });
                    }));
}

ChoiceOrRefusal chooseGradient(const KernelRequest& request) {
    const std::int64_t size = request.outputs[0].elements();
    const std::int64_t rows = request.inputs[0].elements() / size;
    const int cores = request.cores;
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        const auto* const dy = input<float>(arguments, 0);
                        auto* const dtable = output<float>(arguments, 0);
                        // Each core sums its positions over all rows; the few rows need no totals
                        // in double.
                        onElements(
                            cores, size, static_cast<int>(rows + 1),
                            [=](std::int64_t begin, std::int64_t end)
                                __attribute__((always_inline)) {
                                    constexpr std::int64_t stretch = 1024;
                                    for (std::int64_t from = begin; from < end; from += stretch) {
                                        const std::int64_t to = std::min(end, from + stretch);
                                        std::fill(dtable + from, dtable + to, 0.0F);
                                        for (std::int64_t row = 0; row < rows; ++row) {
                                            const float* const g = dy + row * size;
#pragma omp simd
                                            for (std::int64_t k = from; k < to; ++k) {
                                                dtable[k] += g[k];
                                            }
                                        }
                                    }
                                });
                    }));
}

} // namespace

void position_add(KernelList& list) {
    list.add({"position_add", "cpu", chooseForward});
    list.add({"position_gradient", "cpu", chooseGradient});
}

} // namespace weft::cpu
