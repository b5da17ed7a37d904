// SPDX-License-Identifier: Apache-2.0
// g' = g + decay w; v' = alpha v + (1 - alpha) g'^2; u = g' / (sqrt(v') + epsilon)
// rmsprop: w' = w - r u; rmsprop_momentum: m' = momentum m + u; w' = w - r m'
#include "backends/reference/reference_kernel.h"

#include <cmath>

namespace weft::reference {

namespace {

struct RmspropSettings {
    double alpha = 0;
    double epsilon = 0;
    double decay = 0;
    double scale = 1;
    bool hasMomentum = false;
    double momentum = 0;
};

RmspropSettings rmspropSettings(const KernelRequest& request) {
    const Attributes& attributes = request.attributes;
    const bool hasMomentum = attributes.has("momentum");
    return {.alpha = attributes.real("alpha"),
            .epsilon = attributes.real("epsilon"),
            .decay = attributes.real("weight_decay"),
            .scale = attributes.real("rate_scale"),
            .hasMomentum = hasMomentum,
            .momentum = hasMomentum ? attributes.real("momentum") : 0};
}

struct Rmsprop {
    template <class T>
    void operator()(const Call<T>& call, const RmspropSettings& with) const {
        const double r = with.scale * call.number(with.hasMomentum ? 4 : 3);
        for (std::int64_t k = 0; k < call.output().elements(); ++k) {
            const double w = call.in(0)[k];
            const double g = call.in(1)[k] + with.decay * w;
            const double v = with.alpha * call.in(2)[k] + (1 - with.alpha) * g * g;
            double step = g / (std::sqrt(v) + with.epsilon);
            if (with.hasMomentum) {
                step += with.momentum * call.in(3)[k];
                call.out(2)[k] = static_cast<T>(step);
            }
            call.out(0)[k] = static_cast<T>(w - r * step);
            call.out(1)[k] = static_cast<T>(v);
        }
    }
};

} // namespace

void rmsprop(KernelList& list) {
    addKernel(list, "rmsprop", rmspropSettings, Rmsprop{});
    addKernel(list, "rmsprop_momentum", rmspropSettings, Rmsprop{});
}

} // namespace weft::reference
