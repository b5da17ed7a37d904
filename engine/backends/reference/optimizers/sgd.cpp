// SPDX-License-Identifier: Apache-2.0
// g' = g + weight_decay w; sgd: w' = w - r g'
// sgd_momentum: m' = momentum m + g'; w' = w - r (nesterov ? g' + momentum m' : m')
#include "backends/reference/reference_kernel.h"

namespace weft::reference {

namespace {

struct SgdSettings {
    double decay = 0;
    double scale = 1;
    double momentum = 0;
    bool nesterov = false;
};

SgdSettings sgdSettings(const KernelRequest& request) {
    const Attributes& attributes = request.attributes;
    const bool hasMomentum = attributes.has("momentum");
    return {.decay = attributes.real("weight_decay"),
            .scale = attributes.real("rate_scale"),
            .momentum = hasMomentum ? attributes.real("momentum") : 0,
            .nesterov = hasMomentum && attributes.boolean("nesterov")};
}

struct Sgd {
    template <class T>
    void operator()(const Call<T>& call, const SgdSettings& settings) const {
        const T r = static_cast<T>(settings.scale * call.number(2));
        for (std::int64_t k = 0; k < call.output().elements(); ++k) {
            const T w = call.in(0)[k];
            const T g = call.in(1)[k] + static_cast<T>(settings.decay) * w;
            call.out()[k] = w - r * g;
        }
    }
};

struct SgdMomentum {
    template <class T>
    void operator()(const Call<T>& call, const SgdSettings& settings) const {
        const T r = static_cast<T>(settings.scale * call.number(3));
        const T momentum = static_cast<T>(settings.momentum);
        for (std::int64_t k = 0; k < call.output().elements(); ++k) {
            const T w = call.in(0)[k];
            const T g = call.in(1)[k] + static_cast<T>(settings.decay) * w;
            const T m = momentum * call.in(2)[k] + g;
            call.out(0)[k] = w - r * (settings.nesterov ? g + momentum * m : m);
            call.out(1)[k] = m;
        }
    }
};

} // namespace

void sgd(KernelList& list) {
    addKernel(list, "sgd", sgdSettings, Sgd{});
    addKernel(list, "sgd_momentum", sgdSettings, SgdMomentum{});
}

} // namespace weft::reference
