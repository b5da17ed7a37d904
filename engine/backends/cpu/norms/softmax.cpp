// SPDX-License-Identifier: Apache-2.0
// y = exp(x - max x) / its sum; dx = y (dy - sum of y dy), row by row
#include "backends/cpu/elementwise.h"
#include "backends/cpu/functions.h"
#include "backends/cpu/sums.h"

#include <limits>

namespace weft::cpu {

void softmax(KernelList& list);

namespace {

inline void __attribute__((always_inline)) softmaxRow(const float* x, std::int64_t d, float* y) {
    float m = -std::numeric_limits<float>::infinity();
#pragma omp simd reduction(max : m)
    for (std::int64_t k = 0; k < d; ++k) {
        m = x[k] > m ? x[k] : m;
    }
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t k = 0; k < d; ++k) {
        y[k] = exponential(x[k] - m);
        sum += y[k];
    }
    const float share = 1 / sum;
#pragma omp simd
    for (std::int64_t k = 0; k < d; ++k) {
        y[k] *= share;
    }
}

inline void __attribute__((always_inline))
gradientRow(const float* y, const float* dy, std::int64_t d, float* dx) {
    const auto sum = runSums(
        0, d, [=](std::int64_t k) __attribute__((always_inline)) { return y[k] * dy[k]; });
    const auto t = static_cast<float>(sum[0]);
#pragma omp simd
    for (std::int64_t k = 0; k < d; ++k) {
        dx[k] = y[k] * (dy[k] - t);
    }
}

template <bool isForward>
ChoiceOrRefusal choose(const KernelRequest& request) {
    const std::int64_t d = request.inputs[0].shape.back();
    const std::int64_t rows = rowsOf(request.inputs[0].shape);
    const int cores = request.cores;
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        const auto* const x = input<float>(arguments, 0);
                        const float* const dy = isForward ? nullptr : input<float>(arguments, 1);
                        auto* const y = output<float>(arguments, 0);
                        shareOut(cores, rows, 1, 6 * rows * d, [=](Range range) {
                            vectorised([=]() __attribute__((always_inline)) {
                                for (std::int64_t row = range.begin; row < range.end; ++row) {
                                    if constexpr (isForward) {
                                        softmaxRow(x + row * d, d, y + row * d);
                                    } else {
                                        gradientRow(x + row * d, dy + row * d, d, y + row * d);
                                    }
                                }
                            });
                        });
                    }));
}

} // namespace

void softmax(KernelList& list) {
    list.add({"softmax", "cpu", choose<true>});
    list.add({"softmax_gradient", "cpu", choose<false>});
}

} // namespace weft::cpu
