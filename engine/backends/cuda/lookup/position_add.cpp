// SPDX-License-Identifier: Apache-2.0
// y[b] = x[b] + table; dtable = sum over b of dy[b]
#include "backends/cuda/elementwise.h"
#include "backends/cuda/kernels/channel_sums.h"

namespace weft::cuda {

void position_add(KernelList& list);

namespace {

ChoiceOrRefusal choosePositionAdd(const KernelRequest& request) {
    return chooseBroadcast(request, Binary::add, {.n = request.inputs[1].elements()}, {});
}

ChoiceOrRefusal choosePositionGradient(const KernelRequest& request) {
    const Along along{
        .outer = request.inputs[0].shape[0], .n = request.outputs[0].elements(), .inner = 1};
    const auto run = [=](const KernelArguments& arguments) {
        launchChannelSums({.along = along, .x = input<float>(arguments, 0)}, arguments.scratch,
                          output<float>(arguments, 0), streamOf(arguments));
    };
    return allPlain(request, choiceOf(run, {channelSumScratch(along)}));
}

} // namespace

void position_add(KernelList& list) {
    list.add({"position_add", "cuda", choosePositionAdd});
    list.add({"position_gradient", "cuda", choosePositionGradient});
}

} // namespace weft::cuda
