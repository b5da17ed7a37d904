// SPDX-License-Identifier: Apache-2.0
// a = T(v); y[b] = sum of the costs of the element's codes, in double
#include "backends/cpu/elementwise.h"
#include "backends/cpu/per_element.h"
#include "backends/cpu/sparse/piecewise_linear.h"

namespace weft::cpu {

void transfer(KernelList& list);

namespace {

template <int width, bool threshold, bool twoSided>
inline void __attribute__((always_inline))
codesOf(const PiecewiseLinear& transfer, const float* v, float* a, Range range) {
    using L = Lanes<width>;
    std::int64_t k = range.begin;
    for (; k + width <= range.end; k += width) {
        L::store(a + k, transfer.code<width, threshold, twoSided>(L::load(v + k)));
    }
    if (k < range.end) {
        const auto left = static_cast<std::size_t>(range.end - k) * sizeof(float);
        float numbers[width] = {};
        std::memcpy(numbers, v + k, left);
        L::store(numbers, transfer.code<width, threshold, twoSided>(L::load(numbers)));
        std::memcpy(a + k, numbers, left);
    }
}

void transferRange(const PiecewiseLinear& transfer, const float* v, float* a, Range range) {
    vectorisedByWidth([&](auto w) __attribute__((always_inline)) {
        constexpr int width = decltype(w)::value;
        if (transfer.isThreshold()) {
            transfer.isTwoSided() ? codesOf<width, true, true>(transfer, v, a, range)
                                  : codesOf<width, true, false>(transfer, v, a, range);
        } else {
            transfer.isTwoSided() ? codesOf<width, false, true>(transfer, v, a, range)
                                  : codesOf<width, false, false>(transfer, v, a, range);
        }
    });
}

ChoiceOrRefusal chooseTransfer(const KernelRequest& request) {
    const auto pieces = PiecewiseLinear::of(TransferFunction(request.attributes));
    const auto format = formatForAll(request, request.outputs[0].shape);
    if (!pieces || !format) {
        return refuse(pieces ? "operands have different memory formats"
                             : "the transfer function has more points than fit into registers");
    }
    const std::int64_t n = elementsIn(*format, request.outputs[0].shape);
    const int cores = request.cores;
    return inOneFormat(request, *format,
                       choiceOf([=, transfer = *pieces](const KernelArguments& arguments) {
                           shareOut(cores, n, 16, 2 * n, [&](Range range) {
                               transferRange(transfer, input<float>(arguments, 0),
                                             output<float>(arguments, 0), range);
                           });
                       }));
}

ChoiceOrRefusal chooseCost(const KernelRequest& request) {
    const auto pieces = PiecewiseLinear::of(TransferFunction(request.attributes));
    const auto format = batchContiguousFormat(request, request.inputs[0].shape);
    if (!pieces || !format) {
        return refuse(pieces ? "batch elements are not contiguous in memory"
                             : "the transfer function has more points than fit into registers");
    }
    const BatchElements runs(request.inputs[0]);
    const int cores = request.cores;
    const auto run = [=, transfer = *pieces](const KernelArguments& arguments) {
        const auto* const a = input<float>(arguments, 0);
        auto* const y = output<float>(arguments, 0);
        const auto sum = [&](std::int64_t begin, std::int64_t end) __attribute__((always_inline)) {
            return transfer.costs(a + begin, end - begin);
        };
        runs.sums(cores, arguments.scratch, sum, [&](std::int64_t element, double total) {
            y[element] = static_cast<float>(total);
        });
    };
    return withFormats(request, choiceOf(run, runs.scratch()), {*format}, {});
}

} // namespace

void transfer(KernelList& list) {
    list.add({"transfer", "cpu", chooseTransfer});
    list.add({"transfer_cost", "cpu", chooseCost});
}

} // namespace weft::cpu
