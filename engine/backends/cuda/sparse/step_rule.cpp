// SPDX-License-Identifier: Apache-2.0
// The next time step of each element from its energy and the previous one, and the cap of steps
// (ops/sparse/step_rule.cpp)
#include "backends/cuda/sparse/step_rule.h"

#include "backends/cuda/request.h"

#include <cmath>

namespace weft::cuda {

void step_rule(KernelList& list);

namespace {

StepRuleNumbers stepRuleOf(const Attributes& attributes) {
    const double maximum = attributes.real("base_maximum");
    return {.hasKnee = attributes.text("rule") == "knee",
            .isLog = attributes.text("rule") == "log",
            .minimum = attributes.real("base_minimum"),
            .maximum = maximum,
            .tau = attributes.real("tau_factor"),
            .growth = attributes.real("growth_factor"),
            .kneeThreshold = attributes.real("knee_threshold"),
            .kneeSlope = attributes.real("knee_slope"),
            .logLength = -(attributes.real("log_threshold") - maximum) /
                         std::log(attributes.real("log_slope"))};
}

ChoiceOrRefusal chooseStepRule(const KernelRequest& request) {
    const StepRuleNumbers rule = stepRuleOf(request.attributes);
    const std::int64_t n = request.outputs[0].elements();
    return allPlain(request, choiceOf([=](const KernelArguments& arguments) {
                        launchStepRule(rule, input<float>(arguments, 0), input<float>(arguments, 1),
                                       input<float>(arguments, 2), input<float>(arguments, 3),
                                       output<float>(arguments, 0), output<float>(arguments, 1), n,
                                       streamOf(arguments));
                    }));
}

} // namespace

void step_rule(KernelList& list) { list.add({"step_rule", "cuda", chooseStepRule}); }

} // namespace weft::cuda
