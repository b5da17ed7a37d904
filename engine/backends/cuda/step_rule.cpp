// SPDX-License-Identifier: Apache-2.0
// The next time step of each element by its energy and the one before, and the cap of steps
// (ops/step_rule.cpp)
#include "backends/cuda/step_rule.h"

#include "backends/cuda/request.h"

#include <cmath>

namespace weft::cuda {

void step_rule(KernelList& list);

namespace {

StepRuleNumbers stepRuleOf(const Attributes& at) {
    const double maximum = at.real("base_maximum");
    return {.hasKnee = at.text("rule") == "knee",
            .isLog = at.text("rule") == "log",
            .minimum = at.real("base_minimum"),
            .maximum = maximum,
            .tau = at.real("tau_factor"),
            .growth = at.real("growth_factor"),
            .kneeThreshold = at.real("knee_threshold"),
            .kneeSlope = at.real("knee_slope"),
            .logLength = -(at.real("log_threshold") - maximum) / std::log(at.real("log_slope"))};
}

ChoiceOrRefusal chooseStepRule(const KernelRequest& request) {
    const StepRuleNumbers rule = stepRuleOf(request.attributes);
    const std::int64_t n = request.outputs[0].elements();
    return allPlain(request, choiceOf([=](const KernelArguments& at) {
                        launchStepRule(rule, input<float>(at, 0), input<float>(at, 1),
                                       input<float>(at, 2), input<float>(at, 3),
                                       output<float>(at, 0), output<float>(at, 1), n, streamOf(at));
                    }));
}

} // namespace

void step_rule(KernelList& list) { list.add({"step_rule", "cuda", chooseStepRule}); }

} // namespace weft::cuda
