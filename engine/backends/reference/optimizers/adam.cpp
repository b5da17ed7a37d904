// SPDX-License-Identifier: Apache-2.0
// g' = g + decay w (decoupled: w = w (1 - r decay)); m' = b1 m + (1 - b1) g';
// v' = b2 v + (1 - b2) g'^2; w' = w - r / (1 - b1^t) m' / (sqrt(v') / sqrt(1 - b2^t) + epsilon)
#include "backends/reference/reference_kernel.h"

#include <cmath>

namespace weft::reference {

namespace {

struct AdamSettings {
    double beta1 = 0;
    double beta2 = 0;
    double epsilon = 0;
    double decay = 0;
    double scale = 1;
    bool decoupled = false;
};

AdamSettings adamSettings(const KernelRequest& request) {
    const Attributes& attributes = request.attributes;
    return {.beta1 = attributes.real("beta1"),
            .beta2 = attributes.real("beta2"),
            .epsilon = attributes.real("epsilon"),
            .decay = attributes.real("weight_decay"),
            .scale = attributes.real("rate_scale"),
            .decoupled = attributes.boolean("decoupled")};
}

struct Adam {
    template <class T>
    void operator()(const Call<T>& call, const AdamSettings& with) const {
        const double r = with.scale * call.number(4);
        const auto t = static_cast<double>(call.integer(5, 0));
        const double stepSize = r / (1 - std::pow(with.beta1, t));
        const double root2 = std::sqrt(1 - std::pow(with.beta2, t));
        for (std::int64_t k = 0; k < call.output().elements(); ++k) {
            double w = call.in(0)[k];
            double g = call.in(1)[k];
            if (with.decoupled) {
                w *= 1 - r * with.decay;
            } else {
                g += with.decay * w;
            }
            const double m = with.beta1 * call.in(2)[k] + (1 - with.beta1) * g;
            const double v = with.beta2 * call.in(3)[k] + (1 - with.beta2) * g * g;
            call.out(0)[k] =
                static_cast<T>(w - stepSize * m / (std::sqrt(v) / root2 + with.epsilon));
            call.out(1)[k] = static_cast<T>(m);
            call.out(2)[k] = static_cast<T>(v);
        }
    }
};

} // namespace

void adam(KernelList& list) { addKernel(list, "adam", adamSettings, Adam{}); }

} // namespace weft::reference
