// SPDX-License-Identifier: Apache-2.0
// g' = g + weight_decay w; sgd: w' = w - r g'
// sgd_momentum: m' = momentum m + g'; w' = w - r (nesterov ? g' + momentum m' : m')
#include "backends/cuda/optimizers/buckets.h"

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
    const auto row = OpRow::of(request, "cuda");
    if (!row) {
        return tl::unexpected(row.error());
    }
    const SgdSettings with = sgdSettings(request.attributes);
    return row->chosen(request, choiceOf([=, row = *row](const KernelArguments& arguments) {
                           const auto put = [&](Updated& of, std::size_t member) {
                               of.w = row.in<float>(arguments, member, 0);
                               of.g = row.in<float>(arguments, member, 1);
                               of.wNext = row.out<float>(arguments, member, 0);
                           };
                           inBuckets(row, put, [&](const Bucket& bucket) {
                               launchSgd(bucket, with, row.in<float>(arguments, 0, 2),
                                         streamOf(arguments));
                           });
                       }));
}

ChoiceOrRefusal chooseSgdMomentum(const KernelRequest& request) {
    const auto row = OpRow::of(request, "cuda");
    if (!row) {
        return tl::unexpected(row.error());
    }
    const SgdSettings with = sgdSettings(request.attributes);
    return row->chosen(request, choiceOf([=, row = *row](const KernelArguments& arguments) {
                           const auto put = [&](Updated& of, std::size_t member) {
                               of.w = row.in<float>(arguments, member, 0);
                               of.g = row.in<float>(arguments, member, 1);
                               of.m = row.in<float>(arguments, member, 2);
                               of.wNext = row.out<float>(arguments, member, 0);
                               of.mNext = row.out<float>(arguments, member, 1);
                           };
                           inBuckets(row, put, [&](const Bucket& bucket) {
                               launchSgdMomentum(bucket, with, row.in<float>(arguments, 0, 3),
                                                 streamOf(arguments));
                           });
                       }));
}

} // namespace

void sgd(KernelList& list) {
    addWithRow(list, "sgd", "cuda", chooseSgd);
    addWithRow(list, "sgd_momentum", "cuda", chooseSgdMomentum);
}

} // namespace weft::cuda
