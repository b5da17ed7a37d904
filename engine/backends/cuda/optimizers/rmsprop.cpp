// SPDX-License-Identifier: Apache-2.0
// g' = g + decay w; v' = alpha v + (1 - alpha) g'^2; u = g' / (sqrt(v') + epsilon)
// rmsprop: w' = w - r u; rmsprop_momentum: m' = momentum m + u; w' = w - r m'
#include "backends/cuda/optimizers/buckets.h"

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
    const auto row = OpRow::of(request, "cuda");
    if (!row) {
        return tl::unexpected(row.error());
    }
    const RmspropSettings with = rmspropSettings(request.attributes);
    return row->chosen(request, choiceOf([=, row = *row](const KernelArguments& arguments) {
                           const auto put = [&](Updated& of, std::size_t member) {
                               of.w = row.in<float>(arguments, member, 0);
                               of.g = row.in<float>(arguments, member, 1);
                               of.v = row.in<float>(arguments, member, 2);
                               of.wNext = row.out<float>(arguments, member, 0);
                               of.vNext = row.out<float>(arguments, member, 1);
                           };
                           inBuckets(row, put, [&](const Bucket& bucket) {
                               launchRmsprop(bucket, with, row.in<float>(arguments, 0, 3),
                                             streamOf(arguments));
                           });
                       }));
}

ChoiceOrRefusal chooseRmspropMomentum(const KernelRequest& request) {
    const auto row = OpRow::of(request, "cuda");
    if (!row) {
        return tl::unexpected(row.error());
    }
    const RmspropSettings with = rmspropSettings(request.attributes);
    return row->chosen(request, choiceOf([=, row = *row](const KernelArguments& arguments) {
                           const auto put = [&](Updated& of, std::size_t member) {
                               of.w = row.in<float>(arguments, member, 0);
                               of.g = row.in<float>(arguments, member, 1);
                               of.v = row.in<float>(arguments, member, 2);
                               of.m = row.in<float>(arguments, member, 3);
                               of.wNext = row.out<float>(arguments, member, 0);
                               of.vNext = row.out<float>(arguments, member, 1);
                               of.mNext = row.out<float>(arguments, member, 2);
                           };
                           inBuckets(row, put, [&](const Bucket& bucket) {
                               launchRmspropMomentum(bucket, with, row.in<float>(arguments, 0, 4),
                                                     streamOf(arguments));
                           });
                       }));
}

} // namespace

void rmsprop(KernelList& list) {
    addWithRow(list, "rmsprop", "cuda", chooseRmsprop);
    addWithRow(list, "rmsprop_momentum", "cuda", chooseRmspropMomentum);
}

} // namespace weft::cuda
