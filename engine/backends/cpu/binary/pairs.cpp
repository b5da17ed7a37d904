// SPDX-License-Identifier: Apache-2.0
// The rows of functions/pairs.h: operands of one shape in any format that they share, others row by
// row; reduce_sum_gradient, which repeats its operand.
#include "backends/cpu/elementwise.h"
#include "backends/cpu/unary/function.h"
#include "device/broadcast_loops.h"
#include "functions/table.h"
#include "graph/reduced_dims.h"

namespace weft::cpu {

void pairs(KernelList& list);

namespace {

/// Neighbouring elements of a result and of its operands, of which one number may be repeated.
struct Run {
    float* y;
    const float* a;
    const float* b;
    std::int64_t size;
};

/// y[k] = f(a[k], b[k]), with a[0] or b[0] for all k if the step is 0.
template <class F>
inline void __attribute__((always_inline))
computeRun(const Run& run, const BroadcastLoops::Loop& steps, F f) {
    float* const y = run.y;
    const float* const a = run.a;
    const float* const b = run.b;
    const auto each = [&](auto element) __attribute__((always_inline)) {
#pragma omp simd
        for (std::int64_t k = 0; k < run.size; ++k) {
            y[k] = element(k);
        }
    };
    const float firstA = a[0];
    const float firstB = b[0];
    if (steps.a != 0 && steps.b != 0) {
        each([=](std::int64_t k) __attribute__((always_inline)) { return f(a[k], b[k]); });
    } else if (steps.a != 0) {
        each([=](std::int64_t k) __attribute__((always_inline)) { return f(a[k], firstB); });
    } else if (steps.b != 0) {
        each([=](std::int64_t k) __attribute__((always_inline)) { return f(firstA, b[k]); });
    } else {
        const float all = f(firstA, firstB);
        each([=](std::int64_t) __attribute__((always_inline)) { return all; });
    }
}

/// y = f(a, b) over the loops; operand k of the call is read as b.
template <class F>
ChoiceOrRefusal broadcastOf(const KernelRequest& request, const Shape& a, const Shape& b,
                            std::size_t inputOfB, F f) {
    const std::optional<BroadcastLoops> loops = broadcastLoops(request.outputs[0].shape, a, b);
    if (!loops) {
        return refuse("repeats its operands along more dims than its loops have");
    }
    const std::int64_t n = request.outputs[0].elements();
    const int cores = request.cores;
    return allPlain(
        request, choiceOf([=, loops = *loops](const KernelArguments& arguments) {
            const auto* const first = input<float>(arguments, 0);
            const auto* const second = input<float>(arguments, inputOfB);
            auto* const y = output<float>(arguments, 0);
            const BroadcastLoops::Loop inner = loops.loops[0];
            shareOut(cores, n, 16, 3 * n, [=, &loops](Range range) {
                vectorised([ =, &loops ]() __attribute__((always_inline)) {
                    Range left = range;
                    while (left.begin < left.end) {
                        const std::int64_t row = left.begin / inner.size;
                        const std::int64_t column = left.begin - row * inner.size;
                        const std::int64_t end = std::min(left.end, (row + 1) * inner.size);
                        const auto offsets = loops.offsetsOf(row, 1);
                        computeRun({y + left.begin, first + offsets.a + column * inner.a,
                                    second + offsets.b + column * inner.b, end - left.begin},
                                   inner, f);
                        left.begin = end;
                    }
                });
            });
        }));
}

template <class Row>
ChoiceOrRefusal choosePair(const KernelRequest& request) {
    const auto f = [](float a, float b) __attribute__((always_inline)) {
        return Row::template value<FastFunctions>(a, b);
    };
    if (request.inputs[0].shape == request.inputs[1].shape) {
        return elementwiseOf<2>(request, [f](const KernelArguments&) { return f; });
    }
    return broadcastOf(request, request.inputs[0].shape, request.inputs[1].shape, 1, f);
}

ChoiceOrRefusal chooseReduceSumGradient(const KernelRequest& request) {
    const Shape& dx = request.outputs[0].shape;
    const Shape dy = reducedShape(dx, reducedDims(request.attributes, dx.size()), true);
    return broadcastOf(
        request, dy, dy, 0, [](float x, float) __attribute__((always_inline)) { return x; });
}

} // namespace

void pairs(KernelList& list) {
    functions::Pairs::forEach([&]<class Row>(Row) {
        list.add({std::string(Row::pair.name), "cpu", choosePair<Row>});
    });
    list.add({"reduce_sum_gradient", "cpu", chooseReduceSumGradient});
}

} // namespace weft::cpu
