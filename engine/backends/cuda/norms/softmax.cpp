// SPDX-License-Identifier: Apache-2.0
// y = exp(x - max x) / its sum; dx = y (dy - sum of y dy), row by row
#include "backends/cuda/norms/softmax.h"

#include "backends/cuda/request.h"
#include "device/rows.h"

namespace weft::cuda {

void softmax(KernelList& list);

namespace {

ChoiceOrRefusal chooseSoftmax(const KernelRequest& request) {
    const std::int64_t rows = rowsOf(request.inputs[0].shape);
    const std::int64_t d = request.inputs[0].shape.back();
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        launchSoftmax(input<float>(arguments, 0), rows, d,
                                      output<float>(arguments, 0), streamOf(arguments));
                    }));
}

ChoiceOrRefusal chooseSoftmaxGradient(const KernelRequest& request) {
    const std::int64_t rows = rowsOf(request.inputs[0].shape);
    const std::int64_t d = request.inputs[0].shape.back();
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        launchSoftmaxGradient(input<float>(arguments, 0),
                                              input<float>(arguments, 1), rows, d,
                                              output<float>(arguments, 0), streamOf(arguments));
                    }));
}

} // namespace

void softmax(KernelList& list) {
    list.add({"softmax", "cuda", chooseSoftmax});
    list.add({"softmax_gradient", "cuda", chooseSoftmaxGradient});
}

} // namespace weft::cuda
