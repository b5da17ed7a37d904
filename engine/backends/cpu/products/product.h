// SPDX-License-Identifier: Apache-2.0
#pragma once
// c[m, n] = sum_k a[m, k] b[k, n] by Weft's own loops, for builds and processors without oneDNN.
// Cores share the blocks of c; the sum over k has a fixed order.

#include <weft/types.h>

namespace weft::cpu {

struct PlainProduct {
    std::int64_t m = 0, n = 0, k = 0;
    std::int64_t aRow = 0, aStep = 1; ///< strides in elements along m and k
    std::int64_t bRow = 0, bStep = 1; ///< strides in elements along k and n
};

[[nodiscard]] Bytes productScratch(int cores);
/// c is dense.
void runProduct(const PlainProduct& product, const float* a, const float* b, float* c, int cores,
                void* scratch);

} // namespace weft::cpu
