// SPDX-License-Identifier: Apache-2.0
#include "graph/step_rule.h"

#include <algorithm>
#include <cmath>

namespace weft {

StepRule::StepRule(const Attributes& attributes)
    : hasKnee_(attributes.text("rule") == "knee"),
      isLog_(attributes.text("rule") == "log"),
      minimum_(attributes.real("base_minimum")),
      maximum_(attributes.real("base_maximum")),
      tau_(attributes.real("tau_factor")),
      growth_(attributes.real("growth_factor")),
      kneeThreshold_(attributes.real("knee_threshold")),
      kneeSlope_(attributes.real("knee_slope")),
      logThreshold_(attributes.real("log_threshold")),
      logSlope_(attributes.real("log_slope")) {}

void StepRule::apply(double energy, double before, double& step, double& cap) const {
    const double old = cap;
    if (energy != before && (energy > before || energy <= 0 || before <= 0)) {
        step = minimum_;
        cap = maximum_;
    } else if (energy != before) {
        step = tau_ * before * step / (before - energy);
        if (step >= cap) {
            step = cap;
            cap *= 1 + growthAt(cap);
        }
    }
    // A frame that begins has an energy below 0, and no knee.
    if (hasKnee_ && energy >= 0 && before >= 0 && cap > kneeThreshold_) {
        cap = old + (cap - old) * kneeSlope_;
        step = std::min(step, cap);
    }
}

double StepRule::growthAt(double cap) const {
    if (!isLog_) {
        return growth_;
    }
    const double length = -(logThreshold_ - maximum_) / std::log(logSlope_);
    return growth_ * std::exp(-(cap - maximum_) / length);
}

} // namespace weft
