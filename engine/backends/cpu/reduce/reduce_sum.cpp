// SPDX-License-Identifier: Apache-2.0
// Per row of the last dim: reduce_sum, reduce_max (NaN if the row has one); with one number s per
// row: exp(x - s), x / s, x - s, x s. accuracy = number of rows whose first largest x is at the
// target / the whole count of rows; argmax: the index of the first largest x.
#include "backends/cpu/elementwise.h"
#include "backends/cpu/functions.h"
#include "backends/cpu/integers.h"
#include "backends/cpu/sums.h"

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

ChoiceOrRefusal chooseSum(const KernelRequest& request) {
    const Rows rows(request);
    return allPlain(
        request, choiceOf([=](const KernelArguments& arguments) {
            const auto* const x = input<float>(arguments, 0);
            auto* const y = output<float>(arguments, 0);
            rows.each([ =, d = rows.d ](std::int64_t row) __attribute__((always_inline)) {
                y[row] = static_cast<float>(runSums(
                    row * d, row * d + d, [=](std::int64_t k) __attribute__((always_inline)) {
                        return x[k];
                    })[0]);
            });
        }));
}

ChoiceOrRefusal chooseMaximum(const KernelRequest& request) {
    const Rows rows(request);
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        const auto* const x = input<float>(arguments, 0);
                        auto* const y = output<float>(arguments, 0);
                        rows.each([ =, d = rows.d ](std::int64_t row) __attribute__((
                            always_inline)) { y[row] = largest(x + row * d, d); });
                    }));
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
