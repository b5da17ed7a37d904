// SPDX-License-Identifier: Apache-2.0
// y = sum of x / the whole count, or the sum; dx = dy / the whole count, or dy
#include "backends/cuda/elementwise.h"
#include "backends/cuda/sums.h"

namespace weft::cuda {

void mean(KernelList& list);

namespace {

template <bool isMean>
ChoiceOrRefusal chooseWholeSum(const KernelRequest& request) {
    const std::int64_t divisor = isMean ? elementsOf(request.inputs[0].whole) : 1;
    return wholeSumOf(
        request, {.divisor = static_cast<double>(divisor)},
        [](WholeSum& of, const KernelArguments& arguments) { of.x = input<float>(arguments, 0); });
}

template <bool isMean>
ChoiceOrRefusal chooseBroadcast(const KernelRequest& request) {
    return chooseBroadcastQuotient(request, isMean ? elementsOf(request.outputs[0].whole) : 1);
}

} // namespace

void mean(KernelList& list) {
    list.add({"mean", "cuda", chooseWholeSum<true>});
    list.add({"mean_gradient", "cuda", chooseBroadcast<true>});
    list.add({"sum_all", "cuda", chooseWholeSum<false>});
    list.add({"broadcast_all", "cuda", chooseBroadcast<false>});
}

} // namespace weft::cuda
