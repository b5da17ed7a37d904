// SPDX-License-Identifier: Apache-2.0
// y = exp(x - max x) / sum of that; dx = y (dy - sum of y dy), row by row
#include "backends/cuda/softmax.h"

#include "backends/cuda/request.h"
#include "device/rows.h"

namespace weft::cuda {

void softmax(KernelList& list);

namespace {

ChoiceOrRefusal chooseSoftmax(const KernelRequest& request) {
    const std::int64_t rows = rowsOf(request.inputs[0].shape);
    const std::int64_t d = request.inputs[0].shape.back();
    return allPlain(request, choiceOf([=](const KernelArguments& at) {
                        launchSoftmax(input<float>(at, 0), rows, d, output<float>(at, 0),
                                      streamOf(at));
                    }));
}

ChoiceOrRefusal chooseSoftmaxGradient(const KernelRequest& request) {
    const std::int64_t rows = rowsOf(request.inputs[0].shape);
    const std::int64_t d = request.inputs[0].shape.back();
    return allPlain(request, choiceOf([=](const KernelArguments& at) {
                        launchSoftmaxGradient(input<float>(at, 0), input<float>(at, 1), rows, d,
                                              output<float>(at, 0), streamOf(at));
                    }));
}

} // namespace

void softmax(KernelList& list) {
    list.add({"softmax", "cuda", chooseSoftmax});
    list.add({"softmax_gradient", "cuda", chooseSoftmaxGradient});
}

} // namespace weft::cuda
