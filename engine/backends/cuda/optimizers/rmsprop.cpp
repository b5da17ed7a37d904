// SPDX-License-Identifier: Apache-2.0
// g' = g + decay w; v' = alpha v + (1 - alpha) g'^2; u = g' / (sqrt(v') + epsilon)
// rmsprop: w' = w - r u; rmsprop_momentum: m' = momentum m + u; w' = w - r m'
#include "backends/cuda/optimizers/update_row.h"

namespace weft::cuda {

void rmsprop(KernelList& list);

namespace {

RmspropSettings rmspropSettings(const Attributes& attributes) {
    const double alpha = attributes.real("alpha");
    return {.keep = static_cast<float>(alpha),
            .take = static_cast<float>(1 - alpha),
            .epsilon = static_cast<float>(attributes.real("epsilon")),
            .decay = static_cast<float>(attributes.real("weight_decay")),
            .scale = static_cast<float>(attributes.real("rate_scale")),
            .momentum =
                attributes.has("momentum") ? static_cast<float>(attributes.real("momentum")) : 0};
}

ChoiceOrRefusal chooseRmsprop(const KernelRequest& request) {
    return updateOf(request,
                    {{&UpdatedParameter::w, &UpdatedParameter::g, &UpdatedParameter::v},
                     {&UpdatedParameter::wNext, &UpdatedParameter::vNext}},
                    [with = rmspropSettings(request.attributes)](
                        const Bucket& bucket, const OpRow& row, const KernelArguments& arguments) {
                        launchRmsprop(bucket, with, row.in<float>(arguments, 0, 3),
                                      streamOf(arguments));
                    });
}

ChoiceOrRefusal chooseRmspropMomentum(const KernelRequest& request) {
    return updateOf(
        request,
        {{&UpdatedParameter::w, &UpdatedParameter::g, &UpdatedParameter::v, &UpdatedParameter::m},
         {&UpdatedParameter::wNext, &UpdatedParameter::vNext, &UpdatedParameter::mNext}},
        [with = rmspropSettings(request.attributes)](const Bucket& bucket, const OpRow& row,
                                                     const KernelArguments& arguments) {
            launchRmspropMomentum(bucket, with, row.in<float>(arguments, 0, 4),
                                  streamOf(arguments));
        });
}

} // namespace

void rmsprop(KernelList& list) {
    addWithRow(list, "rmsprop", "cuda", chooseRmsprop);
    addWithRow(list, "rmsprop_momentum", "cuda", chooseRmspropMomentum);
}

} // namespace weft::cuda
