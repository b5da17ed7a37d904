// SPDX-License-Identifier: Apache-2.0
#include "graph/step_rule.h"

#include <algorithm>
#include <cmath>

namespace weft {

namespace {

AttributeSpec number(std::string name, double fallback, std::string help) {
    return {.name = std::move(name), .defaultValue = fallback, .help = std::move(help), .above = 0};
}

} // namespace

std::vector<AttributeSpec> stepRuleAttributes() {
    return {
        number("base_minimum", 1.0, "Initial step size."),
        number("base_maximum", 1.0, "Initial cap of the step size."),
        number("tau_factor", 1.0,
               "The step size is this factor times the step size with which the energy would reach "
               "0 if it kept falling as in the previous iteration."),
        {.name = "growth_factor",
         .defaultValue = 1.0,
         .help = "Relative growth of the cap each time the step size reaches it: 0.1 is 10 %.",
         .least = 0},
        number("knee_threshold", 1.0,
               "With step_rule knee: a cap above this value grows more slowly."),
        number("knee_slope", 1.0,
               "With step_rule knee: factor on the growth of the cap above knee_threshold."),
        number("log_threshold", 2.0,
               "With step_rule log: cap at which the growth rate has fallen to log_slope of its "
               "initial value."),
        {.name = "log_slope",
         .defaultValue = 0.5,
         .help = "With step_rule log: fraction of the growth rate that remains at log_threshold.",
         .above = 0,
         .below = 1}};
}

TimeStepRule::TimeStepRule(const Attributes& attributes)
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

void TimeStepRule::apply(double energy, double before, double& step, double& cap) const {
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
    // The first step of a film has an energy below 0 and uses no knee.
    if (hasKnee_ && energy >= 0 && before >= 0 && cap > kneeThreshold_) {
        cap = old + (cap - old) * kneeSlope_;
        step = std::min(step, cap);
    }
}

double TimeStepRule::growthAt(double cap) const {
    if (!isLog_) {
        return growth_;
    }
    const double length = -(logThreshold_ - maximum_) / std::log(logSlope_);
    return growth_ * std::exp(-(cap - maximum_) / length);
}

} // namespace weft
