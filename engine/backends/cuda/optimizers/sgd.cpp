// SPDX-License-Identifier: Apache-2.0
// g' = g + weight_decay w; sgd: w' = w - r g'
// sgd_momentum: m' = momentum m + g'; w' = w - r (nesterov ? g' + momentum m' : m')
#include "backends/cuda/optimizers/update_row.h"

namespace weft::cuda {

void sgd(KernelList& list);

namespace {

SgdSettings sgdSettings(const Attributes& attributes) {
    const bool hasMomentum = attributes.has("momentum");
    return {.decay = static_cast<float>(attributes.real("weight_decay")),
            .scale = static_cast<float>(attributes.real("rate_scale")),
            .momentum = hasMomentum ? static_cast<float>(attributes.real("momentum")) : 0,
            .isNesterov = hasMomentum && attributes.boolean("nesterov")};
}

ChoiceOrRefusal chooseSgd(const KernelRequest& request) {
    return updateOf(
        request, {{&UpdatedParameter::w, &UpdatedParameter::g}, {&UpdatedParameter::wNext}},
        [with = sgdSettings(request.attributes)](const Bucket& bucket, const OpRow& row,
                                                 const KernelArguments& arguments) {
            launchSgd(bucket, with, row.in<float>(arguments, 0, 2), streamOf(arguments));
        });
}

ChoiceOrRefusal chooseSgdMomentum(const KernelRequest& request) {
    return updateOf(request,
                    {{&UpdatedParameter::w, &UpdatedParameter::g, &UpdatedParameter::m},
                     {&UpdatedParameter::wNext, &UpdatedParameter::mNext}},
                    [with = sgdSettings(request.attributes)](const Bucket& bucket, const OpRow& row,
                                                             const KernelArguments& arguments) {
                        launchSgdMomentum(bucket, with, row.in<float>(arguments, 0, 3),
                                          streamOf(arguments));
                    });
}

} // namespace

void sgd(KernelList& list) {
    addWithRow(list, "sgd", "cuda", chooseSgd);
    addWithRow(list, "sgd_momentum", "cuda", chooseSgdMomentum);
}

} // namespace weft::cuda
