// SPDX-License-Identifier: Apache-2.0
#pragma once
// Kernels that apply a function to every element, in any one format that their operands share.

#include "backends/cpu/request.h"
#include "backends/cpu/simd.h"
#include "backends/cpu/team.h"

#include <algorithm>
#include <array>
#include <utility>

namespace weft::cpu {

/// Calls work(range) for ranges of n elements, compiled for the widest registers; `streams` is the
/// number of arrays read or written. Everything that `work` calls must be inlined (see simd.h).
template <class Work>
void onElements(int cores, std::int64_t n, int streams, const Work& work) {
    shareOut(cores, n, 16, n * streams, [&](Range range) {
        vectorised([&]() __attribute__((always_inline)) { work(range.begin, range.end); });
    });
}

/// y[k] = compute(x0[k], x1[k], ...) for `operands` inputs of the result's shape. `settle` makes
/// `compute` from the call's arguments, to read scalar inputs.
template <std::size_t operands, class Settle>
[[nodiscard]] ChoiceOrRefusal elementwiseOf(const KernelRequest& request, Settle settle) {
    const auto format = formatForAll(request, request.outputs[0].shape);
    if (!format) {
        return refuse("operands have different memory formats");
    }
    const std::int64_t n = request.outputs[0].elements();
    const int cores = request.cores;
    return inOneFormat(request, *format, choiceOf([=](const KernelArguments& arguments) {
                           const auto compute = settle(arguments);
                           std::array<const float*, operands> x;
                           for (std::size_t k = 0; k < operands; ++k) {
                               x[k] = input<float>(arguments, k);
                           }
                           auto* const y = output<float>(arguments, 0);
                           onElements(
                               cores, n, operands + 1,
                               [=](std::int64_t begin, std::int64_t end)
                                   __attribute__((always_inline)) {
                                       [&]<std::size_t... k>(std::index_sequence<k...>)
                                           __attribute__((always_inline)) {
#pragma omp simd
                                           for (std::int64_t i = begin; i < end; ++i) {
                                               y[i] = compute(x[k][i]...);
                                           }
                                       }
                                       (std::make_index_sequence<operands>{});
                                   });
                       }));
}

/// Adds a kernel for `op` that depends on its operands only.
template <std::size_t operands, class Compute>
void addElementwise(KernelList& list, const std::string& op, Compute compute) {
    list.add({op, "cpu", [compute](const KernelRequest& request) {
                  return elementwiseOf<operands>(
                      request, [compute](const KernelArguments&) { return compute; });
              }});
}

} // namespace weft::cpu
