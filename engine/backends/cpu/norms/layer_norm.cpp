// SPDX-License-Identifier: Apache-2.0
// Per row of the last dim: mean, r = 1 / sqrt(variance + epsilon), xhat = (x - mean) r,
// y = gamma xhat + beta, dgamma = sum over rows of dy xhat; s1 = mean of gamma dy, s2 = mean of
// gamma dy xhat, dx = r (gamma dy - s1 - xhat s2).
#include "backends/cpu/elementwise.h"
#include "backends/cpu/sums.h"

#include <cmath>

namespace weft::cpu {

void layer_norm(KernelList& list);

namespace {

inline void __attribute__((always_inline))
normaliseRow(const float* x, const float* gamma, const float* beta, std::int64_t d, float epsilon,
             float* y, float& mean, float& r) {
    const auto n = static_cast<double>(d);
    const auto sum = runSums(
        0, d, [=](std::int64_t k) __attribute__((always_inline)) { return x[k]; });
    const auto m = static_cast<float>(sum[0] / n);
    const auto squares = runSums(
        0,
        d, [=](std::int64_t k) __attribute__((always_inline)) { return (x[k] - m) * (x[k] - m); });
    const auto inverse = static_cast<float>(1 / std::sqrt(squares[0] / n + epsilon));
#pragma omp simd
    for (std::int64_t k = 0; k < d; ++k) {
        y[k] = gamma[k] * ((x[k] - m) * inverse) + beta[k];
    }
    mean = m;
    r = inverse;
}

ChoiceOrRefusal chooseForward(const KernelRequest& request) {
    const std::int64_t d = request.inputs[0].shape.back();
    const std::int64_t rows = rowsOf(request.inputs[0].shape);
    const auto epsilon = static_cast<float>(request.attributes.real("epsilon"));
    const int cores = request.cores;
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        const auto* const x = input<float>(arguments, 0);
                        const auto* const gamma = input<float>(arguments, 1);
                        const auto* const beta = input<float>(arguments, 2);
                        auto* const y = output<float>(arguments, 0);
                        auto* const mean = output<float>(arguments, 1);
                        auto* const r = output<float>(arguments, 2);
                        shareOut(cores, rows, 1, 3 * rows * d, [=](Range range) {
                            vectorised([=]() __attribute__((always_inline)) {
                                for (std::int64_t row = range.begin; row < range.end; ++row) {
                                    normaliseRow(x + row * d, gamma, beta, d, epsilon, y + row * d,
                                                 mean[row], r[row]);
                                }
                            });
                        });
                    }));
}

inline void __attribute__((always_inline))
gradientRow(const float* x, float mean, float r, const float* gamma, const float* dy,
            std::int64_t d, float* dx) {
    const auto sums = runSums(
        0, d, [=](std::int64_t k) __attribute__((always_inline)) { return gamma[k] * dy[k]; },
        [=](std::int64_t k)
            __attribute__((always_inline)) { return gamma[k] * dy[k] * (x[k] - mean); });
    const auto n = static_cast<double>(d);
    const auto s1 = static_cast<float>(sums[0] / n);
    const auto s2 = static_cast<float>(sums[1] * r / n);
#pragma omp simd
    for (std::int64_t k = 0; k < d; ++k) {
        dx[k] = r * (gamma[k] * dy[k] - s1 - (x[k] - mean) * r * s2);
    }
}

ChoiceOrRefusal chooseInputGradient(const KernelRequest& request) {
    const std::int64_t d = request.inputs[0].shape.back();
    const std::int64_t rows = rowsOf(request.inputs[0].shape);
    const int cores = request.cores;
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        const auto* const x = input<float>(arguments, 0);
                        const auto* const mean = input<float>(arguments, 1);
                        const auto* const r = input<float>(arguments, 2);
                        const auto* const gamma = input<float>(arguments, 3);
                        const auto* const dy = input<float>(arguments, 4);
                        auto* const dx = output<float>(arguments, 0);
                        shareOut(cores, rows, 1, 4 * rows * d, [=](Range range) {
                            vectorised([=]() __attribute__((always_inline)) {
                                for (std::int64_t row = range.begin; row < range.end; ++row) {
                                    gradientRow(x + row * d, mean[row], r[row], gamma, dy + row * d,
                                                d, dx + row * d);
                                }
                            });
                        });
                    }));
}

ChoiceOrRefusal chooseScaleGradient(const KernelRequest& request) {
    const std::int64_t d = request.inputs[0].shape.back();
    const std::int64_t rows = rowsOf(request.inputs[0].shape);
    const int cores = request.cores;
    return allPlain(
        request, choiceOf(
                     [=](const KernelArguments& arguments) {
                         const auto* const x = input<float>(arguments, 0);
                         const auto* const mean = input<float>(arguments, 1);
                         const auto* const r = input<float>(arguments, 2);
                         const auto* const dy = input<float>(arguments, 3);
                         auto* const dgamma = output<float>(arguments, 0);
                         columnSums(
                             rows, d, cores, arguments.scratch,
                             [=](std::int64_t k, const std::array<double, 1>& sum) {
                                 dgamma[k] = static_cast<float>(sum[0]);
                             },
                             [=](std::int64_t row, std::int64_t k) __attribute__((always_inline)) {
                                 return (x[row * d + k] - mean[row]) * r[row] * dy[row * d + k];
                             });
                     },
                     columnSumsScratch(d, 1, cores)));
}

} // namespace

void layer_norm(KernelList& list) {
    list.add({"layer_norm", "cpu", chooseForward});
    list.add({"layer_norm_dx", "cpu", chooseInputGradient});
    list.add({"layer_norm_dgamma", "cpu", chooseScaleGradient});
}

} // namespace weft::cpu
