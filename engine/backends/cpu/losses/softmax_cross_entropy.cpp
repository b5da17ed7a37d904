// SPDX-License-Identifier: Apache-2.0
// lse = m + log sum_k exp(x_k - m), m = max x; loss = lse - x_target (0 if ignored, NaN if the
// target is not a class); dx_k = (exp(x_k - lse) - [k = target]) dloss
#include "backends/cpu/elementwise.h"
#include "backends/cpu/functions.h"
#include "backends/cpu/integers.h"
#include "device/rows.h"

#include <cmath>
#include <limits>

namespace weft::cpu {

void softmax_cross_entropy(KernelList& list);

namespace {

inline float __attribute__((always_inline)) logSumExp(const float* x, std::int64_t classes) {
    float m = -std::numeric_limits<float>::infinity();
#pragma omp simd reduction(max : m)
    for (std::int64_t k = 0; k < classes; ++k) {
        m = x[k] > m ? x[k] : m;
    }
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t k = 0; k < classes; ++k) {
        sum += exponential(x[k] - m);
    }
    return m + std::log(sum);
}

ChoiceOrRefusal chooseForward(const KernelRequest& request) {
    const std::int64_t classes = request.inputs[0].shape.back();
    const std::int64_t rows = rowsOf(request.inputs[0].shape);
    const std::int64_t ignore = request.attributes.integer("ignore");
    const IntegerReader targetOf(request.inputs[1].dtype);
    const int cores = request.cores;
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        const auto* const x = input<float>(arguments, 0);
                        const void* const targets = arguments.inputs[1];
                        auto* const loss = output<float>(arguments, 0);
                        auto* const lse = output<float>(arguments, 1);
                        shareOut(cores, rows, 1, 4 * rows * classes, [=](Range range) {
                            vectorised([=]() __attribute__((always_inline)) {
                                for (std::int64_t row = range.begin; row < range.end; ++row) {
                                    const float* const logits = x + row * classes;
                                    const float sum = logSumExp(logits, classes);
                                    const std::int64_t target = targetOf(targets, row);
                                    float result = std::numeric_limits<float>::quiet_NaN();
                                    if (target == ignore) {
                                        result = 0;
                                    } else if (target >= 0 && target < classes) {
                                        result = sum - logits[target];
                                    }
                                    loss[row] = result;
                                    lse[row] = sum;
                                }
                            });
                        });
                    }));
}

ChoiceOrRefusal chooseGradient(const KernelRequest& request) {
    const TensorPart& logits = request.inputs[0];
    const std::int64_t classes = logits.shape.back();
    const std::int64_t first = logits.begin.empty() ? 0 : logits.begin.back();
    const std::int64_t rows = rowsOf(logits.shape);
    const std::int64_t ignore = request.attributes.integer("ignore");
    const IntegerReader targetOf(request.inputs[1].dtype);
    const int cores = request.cores;
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        const auto* const x = input<float>(arguments, 0);
                        const void* const targets = arguments.inputs[1];
                        const auto* const lse = input<float>(arguments, 2);
                        const auto* const dloss = input<float>(arguments, 3);
                        auto* const dx = output<float>(arguments, 0);
                        shareOut(cores, rows, 1, 4 * rows * classes, [=](Range range) {
                            vectorised([=]() __attribute__((always_inline)) {
                                for (std::int64_t row = range.begin; row < range.end; ++row) {
                                    const std::int64_t target = targetOf(targets, row);
                                    const float g = target == ignore ? 0.0F : dloss[row];
                                    const float sum = lse[row];
                                    const float* const from = x + row * classes;
                                    float* const to = dx + row * classes;
#pragma omp simd
                                    for (std::int64_t k = 0; k < classes; ++k) {
                                        to[k] = exponential(from[k] - sum) * g;
                                    }
                                    if (target >= first && target < first + classes) {
                                        to[target - first] -= g;
                                    }
                                }
                            });
                        });
                    }));
}

} // namespace

void softmax_cross_entropy(KernelList& list) {
    list.add({"softmax_cross_entropy", "cpu", chooseForward});
    list.add({"softmax_cross_entropy_gradient", "cpu", chooseGradient});
}

} // namespace weft::cpu
