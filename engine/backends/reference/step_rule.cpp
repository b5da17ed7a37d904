// SPDX-License-Identifier: Apache-2.0
// E = P: both stay. E > P, E <= 0 or P <= 0: both begin again. Else step = tau_factor P step /
// (P - E), at most the cap, which then grows
#include "backends/reference/reference_kernel.h"

#include <cmath>

namespace weft::reference {

namespace {

struct StepRule {
    std::string rule;
    double minimum, maximum, tau, growth, kneeThreshold, kneeSlope, logThreshold, logSlope;

    void apply(double energy, double before, double& step, double& cap) const {
        const double old = cap;
        if (energy != before && (energy > before || energy <= 0 || before <= 0)) {
            step = minimum;
            cap = maximum;
        } else if (energy != before) {
            step = tau * before * step / (before - energy);
            if (step >= cap) {
                step = cap;
                cap *= 1 + growthAt(cap);
            }
        }
        // A frame that begins has an energy below 0, and no knee.
        if (rule == "knee" && energy >= 0 && before >= 0 && cap > kneeThreshold) {
            cap = old + (cap - old) * kneeSlope;
            step = std::min(step, cap);
        }
    }
    [[nodiscard]] double growthAt(double cap) const {
        if (rule != "log") {
            return growth;
        }
        const double length = -(logThreshold - maximum) / std::log(logSlope);
        return growth * std::exp(-(cap - maximum) / length);
    }
};

StepRule stepRule(const KernelRequest& request) {
    const Attributes& at = request.attributes;
    return {at.text("rule"),       at.real("base_minimum"),  at.real("base_maximum"),
            at.real("tau_factor"), at.real("growth_factor"), at.real("knee_threshold"),
            at.real("knee_slope"), at.real("log_threshold"), at.real("log_slope")};
}

} // namespace

void step_rule(KernelList& list) {
    addKernel(list, "step_rule", stepRule, []<class T>(const Call<T>& call, const StepRule& rule) {
        for (std::int64_t k = 0; k < call.output().elements(); ++k) {
            double step = call.in(2)[k];
            double cap = call.in(3)[k];
            rule.apply(call.in(0)[k], call.in(1)[k], step, cap);
            call.out(0)[k] = static_cast<T>(step);
            call.out(1)[k] = static_cast<T>(cap);
        }
    });
}

} // namespace weft::reference
