// SPDX-License-Identifier: Apache-2.0
// g' = g + decay w; v' = alpha v + (1 - alpha) g'^2; u = g' / (sqrt(v') + epsilon)
// rmsprop: w' = w - r u; rmsprop_momentum: m' = momentum m + u; w' = w - r m', in one pass.
#include "backends/cpu/optimizers/update.h"

#include <cmath>

namespace weft::cpu {

void rmsprop(KernelList& list);

namespace {

/// The divided gradient u and the next mean square.
struct Divided {
    float u, square;
};

struct RmspropFactors {
    float keep, take, epsilon, decay, scale;

    explicit RmspropFactors(const Attributes& attributes)
        : keep(static_cast<float>(attributes.real("alpha"))),
          take(static_cast<float>(1 - attributes.real("alpha"))),
          epsilon(static_cast<float>(attributes.real("epsilon"))),
          decay(static_cast<float>(attributes.real("weight_decay"))),
          scale(static_cast<float>(attributes.real("rate_scale"))) {}

    [[gnu::always_inline]] [[nodiscard]] Divided divided(float w, float g, float v) const {
        const float decayed = g + decay * w;
        const float square = keep * v + take * decayed * decayed;
        return {decayed / (std::sqrt(square) + epsilon), square};
    }
};

ChoiceOrRefusal chooseRmsprop(const KernelRequest& request) {
    return updateOf<3, 2>(request, [f = RmspropFactors(request.attributes)](
                                       const OpRow& row, const KernelArguments& arguments) {
        const float r = f.scale * *row.in<float>(arguments, 0, 3);
        return [=](float w, float g, float v, float& wNext, float& vNext)
            __attribute__((always_inline)) {
            const auto [u, square] = f.divided(w, g, v);
            wNext = w - r * u;
            vNext = square;
        };
    });
}

ChoiceOrRefusal chooseRmspropMomentum(const KernelRequest& request) {
    const auto momentum = static_cast<float>(request.attributes.real("momentum"));
    return updateOf<4, 3>(request, [=, f = RmspropFactors(request.attributes)](
                                       const OpRow& row, const KernelArguments& arguments) {
        const float r = f.scale * *row.in<float>(arguments, 0, 4);
        return [=](float w, float g, float v, float m, float& wNext, float& vNext, float& mNext)
            __attribute__((always_inline)) {
            const auto [u, square] = f.divided(w, g, v);
            const float moved = momentum * m + u;
            wNext = w - r * moved;
            vNext = square;
            mNext = moved;
        };
    });
}

} // namespace

void rmsprop(KernelList& list) {
    addWithRow(list, "rmsprop", "cpu", chooseRmsprop);
    addWithRow(list, "rmsprop_momentum", "cpu", chooseRmspropMomentum);
}

} // namespace weft::cpu
