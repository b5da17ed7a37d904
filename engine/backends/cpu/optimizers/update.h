// SPDX-License-Identifier: Apache-2.0
#pragma once
// Makes the kernel of an optimizer's update, in one pass over parameters, gradients and states.

#include "backends/cpu/row.h"

#include <array>
#include <utility>

namespace weft::cpu {

/// Calls update(x0[k], x1[k], ..., y0[k], ...) for each element of the parameter: the op's first
/// `reads` operands, then its `writes` results, which `update` sets. `settle(row, arguments)` reads
/// the learning rate and makes `update`, which must be always_inline (see simd.h). Results are
/// references, because loops that return them in an array do not vectorise.
template <std::size_t reads, std::size_t writes, class Settle>
[[nodiscard]] ChoiceOrRefusal updateOf(const KernelRequest& request, Settle settle) {
    const auto row = OpRow::of(request, "cpu");
    if (!row) {
        return tl::unexpected(row.error());
    }
    const int cores = request.cores;
    const auto run = [=, row = *row](const KernelArguments& arguments) {
        const auto update = settle(row, arguments);
        const auto onPart = [&]<std::size_t... r, std::size_t... w>(
            std::index_sequence<r...>, std::index_sequence<w...>, std::size_t member,
            std::int64_t begin, std::int64_t end) __attribute__((always_inline)) {
            const std::array x{row.template in<float>(arguments, member, r)...};
            const std::array y{row.template out<float>(arguments, member, w)...};
#pragma omp simd
            for (std::int64_t i = begin; i < end; ++i) {
                update(x[r][i]..., y[w][i]...);
            }
        };
        onElementsOf(
            row, cores, reads + writes,
            [&](std::size_t member, std::int64_t begin, std::int64_t end)
                __attribute__((always_inline)) {
                    onPart(std::make_index_sequence<reads>{}, std::make_index_sequence<writes>{},
                           member, begin, end);
                });
    };
    return row->chosen(request, choiceOf(run));
}

} // namespace weft::cpu
