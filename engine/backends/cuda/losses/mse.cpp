// SPDX-License-Identifier: Apache-2.0
// y = sum of (x - target)^2 / the whole count; dx = 2 (x - target) dy / the whole count
#include "backends/cuda/losses/losses.h"
#include "backends/cuda/sums.h"

namespace weft::cuda {

void mse(KernelList& list);

namespace {

double wholeCount(const KernelRequest& request) {
    return static_cast<double>(elementsOf(request.inputs[0].whole));
}

ChoiceOrRefusal chooseMse(const KernelRequest& request) {
    const WholeSum sum{.term = WholeTerm::squaredDifference, .divisor = wholeCount(request)};
    return wholeSumOf(request, sum, [](WholeSum& of, const KernelArguments& arguments) {
        of.x = input<float>(arguments, 0);
        of.other = input<float>(arguments, 1);
    });
}

ChoiceOrRefusal chooseMseGradient(const KernelRequest& request) {
    const auto factor = static_cast<float>(2 / wholeCount(request));
    const std::int64_t n = request.outputs[0].elements();
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        launchMseGradient(input<float>(arguments, 0), input<float>(arguments, 1),
                                          input<float>(arguments, 2), factor,
                                          output<float>(arguments, 0), n, streamOf(arguments));
                    }));
}

} // namespace

void mse(KernelList& list) {
    list.add({"mse", "cuda", chooseMse});
    list.add({"mse_gradient", "cuda", chooseMseGradient});
}

} // namespace weft::cuda
