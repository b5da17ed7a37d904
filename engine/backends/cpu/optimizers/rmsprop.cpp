// SPDX-License-Identifier: Apache-2.0
// g' = g + decay w; v' = alpha v + (1 - alpha) g'^2; u = g' / (sqrt(v') + epsilon)
// rmsprop: w' = w - r u; rmsprop_momentum: m' = momentum m + u; w' = w - r m', in one pass.
#include "backends/cpu/row.h"

#include <cmath>

namespace weft::cpu {

void rmsprop(KernelList& list);

namespace {

struct RmspropFactors {
    float keep, take, epsilon, decay, scale;
};

RmspropFactors rmspropFactors(const Attributes& attributes) {
    const double alpha = attributes.real("alpha");
    return {static_cast<float>(alpha), static_cast<float>(1 - alpha),
            static_cast<float>(attributes.real("epsilon")),
            static_cast<float>(attributes.real("weight_decay")),
            static_cast<float>(attributes.real("rate_scale"))};
}

ChoiceOrRefusal chooseRmsprop(const KernelRequest& request) {
    const auto row = OpRow::of(request, "cpu");
    if (!row) {
        return tl::unexpected(row.error());
    }
    const RmspropFactors f = rmspropFactors(request.attributes);
    const int cores = request.cores;
    return row->chosen(request, choiceOf([=, row = *row](const KernelArguments& arguments) {
                           const float r = f.scale * *row.in<float>(arguments, 0, 3);
                           onElementsOf(
                               row, cores, 5,
                               [&](std::size_t member, std::int64_t begin, std::int64_t end)
                                   __attribute__((always_inline)) {
                                       const auto* const w = row.in<float>(arguments, member, 0);
                                       const auto* const g = row.in<float>(arguments, member, 1);
                                       const auto* const v = row.in<float>(arguments, member, 2);
                                       auto* const wNext = row.out<float>(arguments, member, 0);
                                       auto* const vNext = row.out<float>(arguments, member, 1);
#pragma omp simd
                                       for (std::int64_t i = begin; i < end; ++i) {
                                           const float decayed = g[i] + f.decay * w[i];
                                           const float square =
                                               f.keep * v[i] + f.take * decayed * decayed;
                                           const float root = std::sqrt(square) + f.epsilon;
                                           wNext[i] = w[i] - r * (decayed / root);
                                           vNext[i] = square;
                                       }
                                   });
                       }));
}

ChoiceOrRefusal chooseRmspropMomentum(const KernelRequest& request) {
    const auto row = OpRow::of(request, "cpu");
    if (!row) {
        return tl::unexpected(row.error());
    }
    const RmspropFactors f = rmspropFactors(request.attributes);
    const auto momentum = static_cast<float>(request.attributes.real("momentum"));
    const int cores = request.cores;
    return row->chosen(request, choiceOf([=, row = *row](const KernelArguments& arguments) {
                           const float r = f.scale * *row.in<float>(arguments, 0, 4);
                           onElementsOf(
                               row, cores, 7,
                               [&](std::size_t member, std::int64_t begin, std::int64_t end)
                                   __attribute__((always_inline)) {
                                       const auto* const w = row.in<float>(arguments, member, 0);
                                       const auto* const g = row.in<float>(arguments, member, 1);
                                       const auto* const v = row.in<float>(arguments, member, 2);
                                       const auto* const m = row.in<float>(arguments, member, 3);
                                       auto* const wNext = row.out<float>(arguments, member, 0);
                                       auto* const vNext = row.out<float>(arguments, member, 1);
                                       auto* const mNext = row.out<float>(arguments, member, 2);
#pragma omp simd
                                       for (std::int64_t i = begin; i < end; ++i) {
                                           const float decayed = g[i] + f.decay * w[i];
                                           const float square =
                                               f.keep * v[i] + f.take * decayed * decayed;
                                           const float root = std::sqrt(square) + f.epsilon;
                                           const float moved = momentum * m[i] + decayed / root;
                                           wNext[i] = w[i] - r * moved;
                                           vNext[i] = square;
                                           mNext[i] = moved;
                                       }
                                   });
                       }));
}

} // namespace

void rmsprop(KernelList& list) {
    addWithRow(list, "rmsprop", "cpu", chooseRmsprop);
    addWithRow(list, "rmsprop_momentum", "cpu", chooseRmspropMomentum);
}

} // namespace weft::cpu
