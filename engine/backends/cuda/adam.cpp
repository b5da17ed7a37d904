// SPDX-License-Identifier: Apache-2.0
// g' = g + decay w (decoupled: w = w (1 - r decay)); m' = b1 m + (1 - b1) g';
// v' = b2 v + (1 - b2) g'^2; w' = w - r / (1 - b1^t) m' / (sqrt(v') / sqrt(1 - b2^t) + epsilon)
#include "backends/cuda/buckets.h"

namespace weft::cuda {

void adam(KernelList& list);

namespace {

AdamSettings adamSettings(const Attributes& at) {
    return {at.real("beta1"),        at.real("beta2"),      at.real("epsilon"),
            at.real("weight_decay"), at.real("rate_scale"), at.boolean("decoupled")};
}

ChoiceOrRefusal chooseAdam(const KernelRequest& request) {
    const auto row = OpRow::of(request, "cuda");
    if (!row) {
        return tl::unexpected(row.error());
    }
    const AdamSettings with = adamSettings(request.attributes);
    const Number stepType = integerOf(request.inputs[5]);
    return row->chosen(request, choiceOf([=, row = *row](const KernelArguments& at) {
                           const auto put = [&](Updated& of, std::size_t member) {
                               of.w = row.in<float>(at, member, 0);
                               of.g = row.in<float>(at, member, 1);
                               of.m = row.in<float>(at, member, 2);
                               of.v = row.in<float>(at, member, 3);
                               of.wNext = row.out<float>(at, member, 0);
                               of.mNext = row.out<float>(at, member, 1);
                               of.vNext = row.out<float>(at, member, 2);
                           };
                           const Integers step{row.in<void>(at, 0, 5), stepType};
                           inBuckets(row, put, [&](const Bucket& bucket) {
                               launchAdam(bucket, with, row.in<float>(at, 0, 4), step,
                                          streamOf(at));
                           });
                       }));
}

} // namespace

void adam(KernelList& list) { addWithRow(list, "adam", "cuda", chooseAdam); }

} // namespace weft::cuda
