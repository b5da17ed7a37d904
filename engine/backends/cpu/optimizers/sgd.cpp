// SPDX-License-Identifier: Apache-2.0
// g' = g + weight_decay w; sgd: w' = w - r g'
// sgd_momentum: m' = momentum m + g'; w' = w - r (nesterov ? g' + momentum m' : m'), in one pass.
#include "backends/cpu/optimizers/update.h"

namespace weft::cpu {

void sgd(KernelList& list);

namespace {

ChoiceOrRefusal chooseSgd(const KernelRequest& request) {
    const auto decay = static_cast<float>(request.attributes.real("weight_decay"));
    const auto scale = static_cast<float>(request.attributes.real("rate_scale"));
    return updateOf<2, 1>(request, [=](const OpRow& row, const KernelArguments& arguments) {
        const float r = scale * *row.in<float>(arguments, 0, 2);
        return [=](float w, float g, float& wNext) __attribute__((always_inline)) {
            wNext = w - r * (g + decay * w);
        };
    });
}

ChoiceOrRefusal chooseMomentum(const KernelRequest& request) {
    const auto decay = static_cast<float>(request.attributes.real("weight_decay"));
    const auto scale = static_cast<float>(request.attributes.real("rate_scale"));
    const auto momentum = static_cast<float>(request.attributes.real("momentum"));
    // w - r (ofGradient g' + ofMomentum m') covers both rules.
    const bool nesterov = request.attributes.boolean("nesterov");
    const float ofGradient = nesterov ? 1.0F : 0.0F;
    const float ofMomentum = nesterov ? momentum : 1.0F;
    return updateOf<3, 2>(request, [=](const OpRow& row, const KernelArguments& arguments) {
        const float r = scale * *row.in<float>(arguments, 0, 3);
        return [=](float w, float g, float m, float& wNext, float& mNext)
            __attribute__((always_inline)) {
            const float decayed = g + decay * w;
            const float moved = momentum * m + decayed;
            wNext = w - r * (ofGradient * decayed + ofMomentum * moved);
            mNext = moved;
        };
    });
}

} // namespace

void sgd(KernelList& list) {
    addWithRow(list, "sgd", "cpu", chooseSgd);
    addWithRow(list, "sgd_momentum", "cpu", chooseMomentum);
}

} // namespace weft::cpu
