// SPDX-License-Identifier: Apache-2.0
// y = the largest x of each window, position = where it stands in the whole map; dx = dy at the
// positions.
#include "backends/cuda/pooled_maps.h"

namespace weft::cuda {

void max_pool2d(KernelList& list);

namespace {

ChoiceOrRefusal chooseMaxPool(const KernelRequest& request) {
    const Format format = formatOfMaps(request);
    const auto maps = mapsOf(request, request.inputs[0], request.outputs[0], format);
    if (!maps) {
        return refuse("the part of the map begins after the windows");
    }
    const Number type = integerOf(request.outputs[1]);
    return withFormats(request, choiceOf([=, of = *maps](const KernelArguments& at) {
                           asKept(format, [&]<class Kept>(Kept) {
                               launchMaxPool(of, input<Kept>(at, 0), output<Kept>(at, 0),
                                             {at.outputs[1], type}, streamOf(at));
                           });
                       }),
                       {format}, {format, widened(format)});
}

ChoiceOrRefusal chooseMaxPoolGradient(const KernelRequest& request) {
    const Format format = formatOfMaps(request);
    const auto maps = mapsOf(request, request.outputs[0], request.inputs[1], format);
    if (!maps) {
        return refuse("the part of the map begins after the windows");
    }
    const Number type = integerOf(request.inputs[0]);
    return withFormats(request, choiceOf([=, of = *maps](const KernelArguments& at) {
                           asKept(format, [&]<class Kept>(Kept) {
                               launchMaxPoolGradient(of, {at.inputs[0], type}, input<Kept>(at, 1),
                                                     output<Kept>(at, 0), streamOf(at));
                           });
                       }),
                       {widened(format), format}, {format});
}

} // namespace

void max_pool2d(KernelList& list) {
    list.add(takingHalves("max_pool2d", chooseMaxPool));
    list.add(takingHalves("max_pool2d_gradient", chooseMaxPoolGradient));
}

} // namespace weft::cuda
