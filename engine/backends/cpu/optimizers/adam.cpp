// SPDX-License-Identifier: Apache-2.0
// g' = g + decay w (decoupled: w = w (1 - r decay)); m' = b1 m + (1 - b1) g';
// v' = b2 v + (1 - b2) g'^2; w' = w - r / (1 - b1^t) m' / (sqrt(v') / sqrt(1 - b2^t) + epsilon)
#include "backends/cpu/integers.h"
#include "backends/cpu/optimizers/update.h"

#include <cmath>

namespace weft::cpu {

void adam(KernelList& list);

namespace {

struct Settings {
    double beta1, beta2, epsilon, decay, scale;
    bool isDecoupled;
};

Settings settingsOf(const Attributes& attributes) {
    return {attributes.real("beta1"),      attributes.real("beta2"),
            attributes.real("epsilon"),    attributes.real("weight_decay"),
            attributes.real("rate_scale"), attributes.boolean("decoupled")};
}

/// Factors derived from the settings, the step number and the rate.
struct StepFactors {
    float keep1, new1, keep2, new2, ofWeight, ofDecay, size, inverseRoot, epsilon;

    StepFactors(const Settings& with, double rate, double t) {
        const double r = with.scale * rate;
        keep1 = static_cast<float>(with.beta1);
        new1 = static_cast<float>(1 - with.beta1);
        keep2 = static_cast<float>(with.beta2);
        new2 = static_cast<float>(1 - with.beta2);
        ofWeight = with.isDecoupled ? static_cast<float>(1 - r * with.decay) : 1.0F;
        ofDecay = with.isDecoupled ? 0.0F : static_cast<float>(with.decay);
        size = static_cast<float>(r / (1 - std::pow(with.beta1, t)));
        inverseRoot = static_cast<float>(1 / std::sqrt(1 - std::pow(with.beta2, t)));
        epsilon = static_cast<float>(with.epsilon);
    }
};

ChoiceOrRefusal choose(const KernelRequest& request) {
    const Settings with = settingsOf(request.attributes);
    const IntegerReader stepOf(request.inputs[5].dtype);
    return updateOf<4, 3>(request, [=](const OpRow& row, const KernelArguments& arguments) {
        const StepFactors f(with, *row.in<float>(arguments, 0, 4),
                            static_cast<double>(stepOf(row.in<void>(arguments, 0, 5), 0)));
        return [=](float w, float g, float m, float v, float& wNext, float& mNext, float& vNext)
            __attribute__((always_inline)) {
            const float decayed = g + f.ofDecay * w;
            const float first = f.keep1 * m + f.new1 * decayed;
            const float second = f.keep2 * v + f.new2 * decayed * decayed;
            const float root = std::sqrt(second) * f.inverseRoot + f.epsilon;
            wNext = f.ofWeight * w - f.size * first / root;
            mNext = first;
            vNext = second;
        };
    });
}

} // namespace

void adam(KernelList& list) { addWithRow(list, "adam", "cpu", choose); }

} // namespace weft::cpu
