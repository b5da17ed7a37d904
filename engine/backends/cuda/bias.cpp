// SPDX-License-Identifier: Apache-2.0
// y = x + b along one dim; db = dy summed over all other dims.
#include "backends/cuda/channel_sums.h"
#include "backends/cuda/elementwise.h"
#include "device/rows.h"

namespace weft::cuda {

void bias(KernelList& list);

namespace {

ChoiceOrRefusal chooseBiasAdd(const KernelRequest& request) {
    const auto format = formatForAll(request, request.inputs[0].shape);
    if (!format || !isOrder(*format)) {
        return refuse("blocked formats have no bias here");
    }
    const Along along =
        alongDim(request.inputs[0].shape, *format, request.attributes.integer("dim"));
    return spreadOf(request, Binary::add, {.inner = along.inner, .n = along.n}, *format);
}

ChoiceOrRefusal chooseBiasGradient(const KernelRequest& request) {
    const Format offered = request.inputs[0].format;
    const Format format = isOrder(offered) ? offered : Format{};
    const Along along =
        alongDim(request.inputs[0].shape, format, request.attributes.integer("dim"));
    const auto run = [=](const KernelArguments& at) {
        asKept(format, [&]<class Kept>(Kept) {
            launchChannelSums(ChannelSum<Kept>{.along = along, .x = input<Kept>(at, 0)}, at.scratch,
                              output<float>(at, 0), streamOf(at));
        });
    };
    return withFormats(request, choiceOf(run, {channelSumScratch(along)}), {format}, {});
}

} // namespace

void bias(KernelList& list) {
    list.add(takingHalves("bias_add", chooseBiasAdd));
    list.add(takingHalves("bias_gradient", chooseBiasGradient));
}

} // namespace weft::cuda
