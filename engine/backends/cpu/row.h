// SPDX-License-Identifier: Apache-2.0
#pragma once
// Divides a row of updates (device/op_row.h) among a team of cores.

#include "backends/cpu/elementwise.h"
#include "device/op_row.h"

namespace weft::cpu {

/// Calls work(member, begin, end) for all elements of all members, divided among the cores as one
/// array; `streams` is the number of arrays read or written.
template <class Work>
void onElementsOf(const OpRow& row, int cores, int streams, const Work& work) {
    shareOut(cores, row.elements(), 16, row.elements() * streams, [&](Range range) {
        for (std::size_t m = 0; m < row.size(); ++m) {
            const std::int64_t first = row.first(m);
            const std::int64_t begin = std::max(range.begin, first);
            const std::int64_t end = std::min(range.end, first + row.elements(m));
            if (begin < end) {
                vectorised([&]() __attribute__((always_inline)) {
                    work(m, begin - first, end - first);
                });
            }
        }
    });
}

} // namespace weft::cpu
