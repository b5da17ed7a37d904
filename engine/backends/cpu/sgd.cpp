// SPDX-License-Identifier: Apache-2.0
// g' = g + weight_decay w; sgd: w' = w - r g'
// sgd_momentum: m' = momentum m + g'; w' = w - r (nesterov ? g' + momentum m' : m'), in one pass.
#include "backends/cpu/elementwise.h"

namespace weft::cpu {

void sgd(KernelList& list);

namespace {

PreparationOrRefusal prepareSgd(const KernelRequest& request) {
    const auto decay = static_cast<float>(request.attributes.real("weight_decay"));
    const auto scale = static_cast<float>(request.attributes.real("rate_scale"));
    return elementwiseOf<2>(request, [=](const KernelArguments& at) {
        const float r = scale * *input<float>(at, 2);
        return [=](float w, float g) __attribute__((always_inline)) {
            return w - r * (g + decay * w);
        };
    });
}

PreparationOrRefusal prepareMomentum(const KernelRequest& request) {
    if (const auto why = whyNotF32(request)) {
        return refuse(*why);
    }
    const auto format = formatForAll(request, request.outputs[0].shape);
    if (!format) {
        return refuse("operands lie in different formats");
    }
    const auto decay = static_cast<float>(request.attributes.real("weight_decay"));
    const auto scale = static_cast<float>(request.attributes.real("rate_scale"));
    const auto momentum = static_cast<float>(request.attributes.real("momentum"));
    // w - r (ofGradient g' + ofMomentum m') is both rules.
    const bool nesterov = request.attributes.boolean("nesterov");
    const float ofGradient = nesterov ? 1.0F : 0.0F;
    const float ofMomentum = nesterov ? momentum : 1.0F;
    const std::int64_t n = request.outputs[0].elements();
    const int cores = request.cores;
    return inOneFormat(
        request, *format, made([=](const KernelArguments& at) {
            const float r = scale * *input<float>(at, 3);
            const float* const w = input<float>(at, 0);
            const float* const g = input<float>(at, 1);
            const float* const m = input<float>(at, 2);
            float* const wNext = output<float>(at, 0);
            float* const mNext = output<float>(at, 1);
            onElements(
                cores, n,
                5, [=](std::int64_t begin, std::int64_t end) __attribute__((always_inline)) {
#pragma omp simd
                    for (std::int64_t i = begin; i < end; ++i) {
                        const float decayed = g[i] + decay * w[i];
                        const float moved = momentum * m[i] + decayed;
                        wNext[i] = w[i] - r * (ofGradient * decayed + ofMomentum * moved);
                        mNext[i] = moved;
                    }
                });
        }));
}

} // namespace

void sgd(KernelList& list) {
    list.add({"sgd", "cpu", prepareSgd});
    list.add({"sgd_momentum", "cpu", prepareMomentum});
}

} // namespace weft::cpu
