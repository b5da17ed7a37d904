// SPDX-License-Identifier: Apache-2.0
// lse = log of the sum of exp x; loss = lse - x_target (0 where ignored, NaN where the target is no
// class); dx_k = (exp(x_k - lse) - [k = target]) dloss
#include "backends/cuda/class_rows.h"

namespace weft::cuda {

void softmax_cross_entropy(KernelList& list);

namespace {

ChoiceOrRefusal chooseCrossEntropy(const KernelRequest& request) {
    const TargetsOf targets(request, 1);
    const ClassRows rows = classRowsOf(request.inputs[0]);
    return allPlain(request, choiceOf([=](const KernelArguments& at) {
                        launchCrossEntropy(rows, input<float>(at, 0), targets(at),
                                           output<float>(at, 0), output<float>(at, 1),
                                           streamOf(at));
                    }));
}

ChoiceOrRefusal chooseCrossEntropyGradient(const KernelRequest& request) {
    const TargetsOf targets(request, 1);
    const ClassRows rows = classRowsOf(request.inputs[0]);
    return allPlain(request, choiceOf([=](const KernelArguments& at) {
                        launchCrossEntropyGradient(rows, input<float>(at, 0), targets(at),
                                                   input<float>(at, 2), input<float>(at, 3),
                                                   output<float>(at, 0), streamOf(at));
                    }));
}

} // namespace

void softmax_cross_entropy(KernelList& list) {
    list.add({"softmax_cross_entropy", "cuda", chooseCrossEntropy});
    list.add({"softmax_cross_entropy_gradient", "cuda", chooseCrossEntropyGradient});
}

} // namespace weft::cuda
