// SPDX-License-Identifier: Apache-2.0
// g' = g + decay w (decoupled: w = w (1 - r decay)); m' = b1 m + (1 - b1) g';
// v' = b2 v + (1 - b2) g'^2; w' = w - r / (1 - b1^t) m' / (sqrt(v') / sqrt(1 - b2^t) + epsilon)
#include "backends/cuda/optimizers/update_row.h"

namespace weft::cuda {

void adam(KernelList& list);

namespace {

AdamSettings adamSettings(const Attributes& attributes) {
    return {attributes.real("beta1"),      attributes.real("beta2"),
            attributes.real("epsilon"),    attributes.real("weight_decay"),
            attributes.real("rate_scale"), attributes.boolean("decoupled")};
}

ChoiceOrRefusal chooseAdam(const KernelRequest& request) {
    return updateOf(
        request,
        {{&UpdatedParameter::w, &UpdatedParameter::g, &UpdatedParameter::m, &UpdatedParameter::v},
         {&UpdatedParameter::wNext, &UpdatedParameter::mNext, &UpdatedParameter::vNext}},
        [with = adamSettings(request.attributes), stepType = integerOf(request.inputs[5])](
            const Bucket& bucket, const OpRow& row, const KernelArguments& arguments) {
            launchAdam(bucket, with, row.in<float>(arguments, 0, 4),
                       {row.in<void>(arguments, 0, 5), stepType}, streamOf(arguments));
        });
}

} // namespace

void adam(KernelList& list) { addWithRow(list, "adam", "cuda", chooseAdam); }

} // namespace weft::cuda
