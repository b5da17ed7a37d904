// SPDX-License-Identifier: Apache-2.0
// lse = log of the sum of exp x; loss = lse - x_target (0 if ignored, NaN if the target is not
// a class); dx_k = (exp(x_k - lse) - [k = target]) dloss
#include "backends/cuda/losses/class_rows.h"

namespace weft::cuda {

void softmax_cross_entropy(KernelList& list);

namespace {

ChoiceOrRefusal chooseCrossEntropy(const KernelRequest& request) {
    const TargetsOf targets(request, 1);
    const ClassRows rows = classRowsOf(request.inputs[0]);
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        launchCrossEntropy(rows, input<float>(arguments, 0), targets(arguments),
                                           output<float>(arguments, 0), output<float>(arguments, 1),
                                           streamOf(arguments));
                    }));
}

ChoiceOrRefusal chooseCrossEntropyGradient(const KernelRequest& request) {
    const TargetsOf targets(request, 1);
    const ClassRows rows = classRowsOf(request.inputs[0]);
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        launchCrossEntropyGradient(
                            rows, input<float>(arguments, 0), targets(arguments),
                            input<float>(arguments, 2), input<float>(arguments, 3),
                            output<float>(arguments, 0), streamOf(arguments));
                    }));
}

} // namespace

void softmax_cross_entropy(KernelList& list) {
    list.add({"softmax_cross_entropy", "cuda", chooseCrossEntropy});
    list.add({"softmax_cross_entropy_gradient", "cuda", chooseCrossEntropyGradient});
}

} // namespace weft::cuda
