// SPDX-License-Identifier: Apache-2.0
// g' = g + decay w (decoupled: w = w (1 - r decay)); m' = b1 m + (1 - b1) g';
// v' = b2 v + (1 - b2) g'^2; w' = w - r / (1 - b1^t) m' / (sqrt(v') / sqrt(1 - b2^t) + epsilon)
#include "backends/cuda/optimizers/buckets.h"

namespace weft::cuda {

void adam(KernelList& list);

namespace {

AdamSettings adamSettings(const Attributes& attributes) {
    return {attributes.real("beta1"),      attributes.real("beta2"),
            attributes.real("epsilon"),    attributes.real("weight_decay"),
            attributes.real("rate_scale"), attributes.boolean("decoupled")};
}

ChoiceOrRefusal chooseAdam(const KernelRequest& request) {
    const auto row = OpRow::of(request, "cuda");
    if (!row) {
        return tl::unexpected(row.error());
    }
    const AdamSettings with = adamSettings(request.attributes);
    const Number stepType = integerOf(request.inputs[5]);
    return row->chosen(request, choiceOf([=, row = *row](const KernelArguments& arguments) {
                           const auto put = [&](Updated& of, std::size_t member) {
                               of.w = row.in<float>(arguments, member, 0);
                               of.g = row.in<float>(arguments, member, 1);
                               of.m = row.in<float>(arguments, member, 2);
                               of.v = row.in<float>(arguments, member, 3);
                               of.wNext = row.out<float>(arguments, member, 0);
                               of.mNext = row.out<float>(arguments, member, 1);
                               of.vNext = row.out<float>(arguments, member, 2);
                           };
                           const Integers step{row.in<void>(arguments, 0, 5), stepType};
                           inBuckets(row, put, [&](const Bucket& bucket) {
                               launchAdam(bucket, with, row.in<float>(arguments, 0, 4), step,
                                          streamOf(arguments));
                           });
                       }));
}

} // namespace

void adam(KernelList& list) { addWithRow(list, "adam", "cuda", chooseAdam); }

} // namespace weft::cuda
