// SPDX-License-Identifier: Apache-2.0
#pragma once
// c[m, n] = sum_k a[m, k] b[k, n] by own loops: for builds and processors that the library does not
// serve. Blocks of c are shared out among the cores; the sum over k has one order.

#include <weft/types.h>

namespace weft::cpu {

struct PlainProduct {
    std::int64_t m = 0, n = 0, k = 0;
    std::int64_t aRow = 0, aStep = 1; ///< in elements, from row to row and from k to k + 1
    std::int64_t bRow = 0, bStep = 1; ///< from k to k + 1 and from column to column
};

[[nodiscard]] Bytes productScratch(int cores);
/// c is dense.
void runProduct(const PlainProduct& product, const float* a, const float* b, float* c, int cores,
                void* scratch);

} // namespace weft::cpu
