// SPDX-License-Identifier: Apache-2.0
// g' = g + weight_decay w; sgd: w' = w - r g'
// sgd_momentum: m' = momentum m + g'; w' = w - r (nesterov ? g' + momentum m' : m'), in one pass.
#include "backends/cpu/row.h"

namespace weft::cpu {

void sgd(KernelList& list);

namespace {

ChoiceOrRefusal chooseSgd(const KernelRequest& request) {
    const auto row = OpRow::of(request, "cpu");
    if (!row) {
        return tl::unexpected(row.error());
    }
    const auto decay = static_cast<float>(request.attributes.real("weight_decay"));
    const auto scale = static_cast<float>(request.attributes.real("rate_scale"));
    const int cores = request.cores;
    return row->chosen(request, choiceOf([=, row = *row](const KernelArguments& arguments) {
                           const float r = scale * *row.in<float>(arguments, 0, 2);
                           onElementsOf(
                               row, cores, 3,
                               [&](std::size_t member, std::int64_t begin, std::int64_t end)
                                   __attribute__((always_inline)) {
                                       const auto* const w = row.in<float>(arguments, member, 0);
                                       const auto* const g = row.in<float>(arguments, member, 1);
                                       auto* const wNext = row.out<float>(arguments, member, 0);
#pragma omp simd
                                       for (std::int64_t i = begin; i < end; ++i) {
                                           wNext[i] = w[i] - r * (g[i] + decay * w[i]);
                                       }
                                   });
                       }));
}

ChoiceOrRefusal chooseMomentum(const KernelRequest& request) {
    const auto row = OpRow::of(request, "cpu");
    if (!row) {
        return tl::unexpected(row.error());
    }
    const auto decay = static_cast<float>(request.attributes.real("weight_decay"));
    const auto scale = static_cast<float>(request.attributes.real("rate_scale"));
    const auto momentum = static_cast<float>(request.attributes.real("momentum"));
    // w - r (ofGradient g' + ofMomentum m') covers both rules.
    const bool nesterov = request.attributes.boolean("nesterov");
    const float ofGradient = nesterov ? 1.0F : 0.0F;
    const float ofMomentum = nesterov ? momentum : 1.0F;
    const int cores = request.cores;
    return row->chosen(request, choiceOf([=, row = *row](const KernelArguments& arguments) {
                           const float r = scale * *row.in<float>(arguments, 0, 3);
                           onElementsOf(
                               row, cores, 5,
                               [&](std::size_t member, std::int64_t begin, std::int64_t end)
                                   __attribute__((always_inline)) {
                                       const auto* const w = row.in<float>(arguments, member, 0);
                                       const auto* const g = row.in<float>(arguments, member, 1);
                                       const auto* const m = row.in<float>(arguments, member, 2);
                                       auto* const wNext = row.out<float>(arguments, member, 0);
                                       auto* const mNext = row.out<float>(arguments, member, 1);
#pragma omp simd
                                       for (std::int64_t i = begin; i < end; ++i) {
                                           const float decayed = g[i] + decay * w[i];
                                           const float moved = momentum * m[i] + decayed;
                                           wNext[i] = w[i] - r * (ofGradient * decayed +
                                                                  ofMomentum * moved);
                                           mNext[i] = moved;
                                       }
                                   });
                       }));
}

} // namespace

void sgd(KernelList& list) {
    addWithRow(list, "sgd", "cpu", chooseSgd);
    addWithRow(list, "sgd_momentum", "cpu", chooseMomentum);
}

} // namespace weft::cpu
