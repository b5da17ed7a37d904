// SPDX-License-Identifier: Apache-2.0
// reduce_sum, reduce_prod and reduce_max over dims (NaN if a term is NaN); per
// row of the last dim with one number s: exp(x - s), x / s, x - s, x s.
// accuracy = number of rows whose first largest x is at the target / the whole
// count of rows; argmax: the index of the first largest x.
#include "backends/cpu/elementwise.h"
#include "backends/cpu/functions.h"
#include "backends/cpu/integers.h"
#include "backends/cpu/sums.h"
#include "device/reduce_loops.h"

#include <limits>

namespace weft::cpu {

void reduce_sum(KernelList& list);

namespace {

struct Rows {
    std::int64_t count, d;
    int cores;
    explicit Rows(const KernelRequest& request)
        : count(rowsOf(request.inputs[0].shape)),
          d(request.inputs[0].shape.back()),
          cores(request.cores) {}

    /// Calls work(row) for all rows, compiled for the widest registers.
    template <class Work>
    void each(const Work& work) const {
        shareOut(cores, count, 1, 2 * count * d, [&](Range range) {
            vectorised([&]() __attribute__((always_inline)) {
                for (std::int64_t row = range.begin; row < range.end; ++row) {
                    work(row);
                }
            });
        });
    }
};

inline float __attribute__((always_inline)) largest(const float* x, std::int64_t d) {
    float m = -std::numeric_limits<float>::infinity();
    float nan = 0; // x - x is 0, or NaN if x is not finite
#pragma omp simd reduction(max : m) reduction(+ : nan)
    for (std::int64_t k = 0; k < d; ++k) {
        m = x[k] > m ? x[k] : m;
        nan += x[k] == x[k] ? 0.0F : x[k];
    }
    return nan == nan ? m : nan;
}

/// Index of the first largest number; 0 if all are NaN.
inline std::int64_t __attribute__((always_inline)) placeOfLargest(const float* x, std::int64_t d) {
    const float m = largest(x, d);
    std::int64_t place = 0;
    while (place < d && !(x[place] == m)) {
        ++place;
    }
    return place < d ? place : 0;
}

/// The elements that one result reads, as runs of neighbours: calls run(first
/// element, number).
template <class Work>
inline void __attribute__((always_inline))
eachRun(const ReduceLoops& loops, std::int64_t result, const Work& work) {
    const StridedLoops& reduced = loops.reduced;
    const std::int64_t first = loops.kept.offsetOf(result);
    const std::int64_t run = reduced.count == 0 ? 1 : reduced.loops[0].size;
    for (std::int64_t n = 0; n < reduced.iterations / run; ++n) {
        work(first + reduced.offsetOf(n, 1), run);
    }
}

/// Sums columns of neighbouring results, `sumWidth` at a time.
inline void __attribute__((always_inline))
foldColumns(const ReduceLoops& loops, std::int64_t result, std::int64_t width, const float* x,
            float* y, auto start, auto join) {
    decltype(start) totals[sumWidth];
    std::fill_n(totals, sumWidth, start);
    const float* const from = x + loops.kept.offsetOf(result);
    for (std::int64_t n = 0; n < loops.reduced.iterations; ++n) {
        const float* const row = from + loops.reduced.offsetOf(n);
#pragma omp simd
        for (std::int64_t k = 0; k < width; ++k) {
            totals[k] = join(totals[k], row[k]);
        }
    }
    for (std::int64_t k = 0; k < width; ++k) {
        y[result + k] = static_cast<float>(totals[k]);
    }
}

/// Reduces dims: results whose terms are neighbours one by one by ofRuns(loops,
/// result, x), others by join(total, x) from `start` on.
template <class OfRuns, class Start, class Join>
ChoiceOrRefusal chooseReduction(const KernelRequest& request, const OfRuns& ofRuns, Start start,
                                const Join& join) {
    const std::optional<ReduceLoops> found =
        reduceLoops(request.inputs[0].shape, request.attributes);
    if (!found) {
        return refuse("reduces more groups of dims than its loops have");
    }
    const int cores = request.cores;
    return allPlain(
        request, choiceOf([=, loops = *found](const KernelArguments& arguments) {
            const auto* const x = input<float>(arguments, 0);
            auto* const y = output<float>(arguments, 0);
            const bool isByRuns = loops.isInnermostReduced();
            // Runs of results that are neighbours in x, too.
            const std::int64_t inner = isByRuns ? 1 : loops.kept.loops[0].size;
            const std::int64_t blocks = (inner + sumWidth - 1) / sumWidth;
            const std::int64_t cost = 2 * loops.kept.iterations * loops.reduced.iterations;
            shareOut(cores, loops.kept.iterations / inner * blocks, 1, cost,
                     [=, &loops](Range range) {
                         vectorised([ =, &loops ]() __attribute__((always_inline)) {
                             for (std::int64_t part = range.begin; part < range.end; ++part) {
                                 if (isByRuns) {
                                     y[part] = static_cast<float>(ofRuns(loops, part, x));
                                     continue;
                                 }
                                 const std::int64_t column = part % blocks * sumWidth;
                                 foldColumns(loops, part / blocks * inner + column,
                                             std::min(sumWidth, inner - column), x, y, start, join);
                             }
                         });
                     });
        }));
}

ChoiceOrRefusal chooseSum(const KernelRequest& request) {
    return chooseReduction(
        request,
        [](const ReduceLoops& loops, std::int64_t result,
           const float* x) __attribute__((always_inline)) {
            double total = 0;
            eachRun(
                loops,
                result, [&](std::int64_t first, std::int64_t size) __attribute__((always_inline)) {
                    total += runSums(
                        first, first + size, [=](std::int64_t k) __attribute__((always_inline)) {
                            return x[k];
                        })[0];
                });
            return total;
        },
        0.0, [](double total, float x) __attribute__((always_inline)) { return total + x; });
}

ChoiceOrRefusal chooseProduct(const KernelRequest& request) {
    return chooseReduction(
        request,
        [](const ReduceLoops& loops, std::int64_t result,
           const float* x) __attribute__((always_inline)) {
            double total = 1;
            eachRun(
                loops,
                result, [&](std::int64_t first, std::int64_t size) __attribute__((always_inline)) {
                    for (std::int64_t k = 0; k < size; ++k) {
                        total *= x[first + k];
                    }
                });
            return total;
        },
        1.0, [](double total, float x) __attribute__((always_inline)) { return total * x; });
}

/// The larger number; NaN if one is NaN.
inline float __attribute__((always_inline)) larger(float a, float b) {
    return b > a || b != b ? b : a;
}

ChoiceOrRefusal chooseMaximum(const KernelRequest& request) {
    constexpr float lowest = -std::numeric_limits<float>::infinity();
    return chooseReduction(
        request,
        [](const ReduceLoops& loops, std::int64_t result,
           const float* x) __attribute__((always_inline)) {
            float most = -std::numeric_limits<float>::infinity();
            eachRun(
                loops,
                result, [&](std::int64_t first, std::int64_t size) __attribute__((always_inline)) {
                    most = larger(most, largest(x + first, size));
                });
            return most;
        },
        lowest, [](float most, float x) __attribute__((always_inline)) { return larger(most, x); });
}

template <class Compute>
void addPerRow(KernelList& list, const std::string& op, const Compute& compute) {
    list.add({op, "cpu", [compute](const KernelRequest& request) -> ChoiceOrRefusal {
                  const Rows rows(request);
                  return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                                      const auto* const x = input<float>(arguments, 0);
                                      const auto* const s = input<float>(arguments, 1);
                                      auto* const y = output<float>(arguments, 0);
                                      rows.each([ =, d = rows.d ](std::int64_t row)
                                                    __attribute__((always_inline)) {
                                                        const float one = s[row];
                                                        const float* const from = x + row * d;
                                                        float* const to = y + row * d;
#pragma omp simd
                                                        for (std::int64_t k = 0; k < d; ++k) {
                                                            to[k] = compute(from[k], one);
                                                        }
                                                    });
                                  }));
              }});
}

ChoiceOrRefusal chooseAccuracy(const KernelRequest& request) {
    const Rows rows(request);
    const TensorPart& targets = request.inputs[1];
    const auto whole = static_cast<double>(
        elementsOf(targets.whole.size() == targets.shape.size() ? targets.whole : targets.shape));
    const std::int64_t ignore = request.attributes.integer("ignore");
    const IntegerReader targetOf(targets.dtype);
    const Bytes scratch{rows.count};
    return allPlain(
        request,
        choiceOf(
            [=](const KernelArguments& arguments) {
                const auto* const x = input<float>(arguments, 0);
                const void* const given = arguments.inputs[1];
                auto* const hits = static_cast<std::uint8_t*>(arguments.scratch);
                rows.each([ =, d = rows.d ](std::int64_t row) __attribute__((always_inline)) {
                    const std::int64_t target = targetOf(given, row);
                    hits[row] =
                        target != ignore && placeOfLargest(x + row * d, d) == target ? 1 : 0;
                });
                std::int64_t count = 0;
                for (std::int64_t row = 0; row < rows.count; ++row) {
                    count += hits[row];
                }
                *output<float>(arguments, 0) =
                    static_cast<float>(static_cast<double>(count) / whole);
            },
            scratch));
}

ChoiceOrRefusal chooseArgmax(const KernelRequest& request) {
    if (request.outputs[0].dtype != DType::i32) {
        return refuse("writes positions as i32 only");
    }
    const Rows rows(request);
    return allPlain(
        request, choiceOf([=](const KernelArguments& arguments) {
            const auto* const x = input<float>(arguments, 0);
            auto* const index = output<std::int32_t>(arguments, 0);
            rows.each([ =, d = rows.d ](std::int64_t row) __attribute__((always_inline)) {
                index[row] = static_cast<std::int32_t>(placeOfLargest(x + row * d, d));
            });
        }));
}

} // namespace

void reduce_sum(KernelList& list) {
    list.add({"reduce_sum", "cpu", chooseSum});
    list.add({"reduce_max", "cpu", chooseMaximum});
    list.add({"reduce_prod", "cpu", chooseProduct});
    list.add({"accuracy", "cpu", chooseAccuracy});
    list.add({"argmax", "cpu", chooseArgmax});
    addPerRow(
        list, "exp_minus",
        [](float x, float s) __attribute__((always_inline)) { return exponential(x - s); });
    addPerRow(
        list, "divide_rows", [](float x, float s) __attribute__((always_inline)) { return x / s; });
    addPerRow(
        list, "subtract_rows",
        [](float x, float s) __attribute__((always_inline)) { return x - s; });
    addPerRow(
        list, "multiply_rows",
        [](float x, float s) __attribute__((always_inline)) { return x * s; });
}

} // namespace weft::cpu
