// SPDX-License-Identifier: Apache-2.0
// n = sum of x^2; factor = min(1, limit / (sqrt n + 1e-6))
#include "backends/cuda/elementwise.h"
#include "backends/cuda/sums.h"

namespace weft::cuda {

void squares(KernelList& list);

namespace {

ChoiceOrRefusal chooseSquares(const KernelRequest& request) {
    return wholeSumOf(request, {.term = WholeTerm::square},
                      [](WholeSum& of, const KernelArguments& at) { of.x = input<float>(at, 0); });
}

} // namespace

void squares(KernelList& list) {
    list.add({"squares", "cuda", chooseSquares});
    addUnary(list, "clip_factor", Unary::clipFactor, "limit");
}

} // namespace weft::cuda
