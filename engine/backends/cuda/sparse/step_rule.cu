// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/kernels/launch.h"
#include "backends/cuda/sparse/step_rule.h"

namespace weft::cuda {

namespace {

[[nodiscard]] __device__ double growthAt(const StepRuleNumbers& rule, double cap) {
    return rule.isLog ? rule.growth * exp(-(cap - rule.maximum) / rule.logLength) : rule.growth;
}

/// As TimeStepRule::apply.
__device__ void applyRule(const StepRuleNumbers& rule, double energy, double before, double& step,
                          double& cap) {
    const double old = cap;
    if (energy != before && (energy > before || energy <= 0 || before <= 0)) {
        step = rule.minimum;
        cap = rule.maximum;
    } else if (energy != before) {
        step = rule.tau * before * step / (before - energy);
        if (step >= cap) {
            step = cap;
            cap *= 1 + growthAt(rule, cap);
        }
    }
    if (rule.hasKnee && energy >= 0 && before >= 0 && cap > rule.kneeThreshold) {
        cap = old + (cap - old) * rule.kneeSlope;
        step = std::min(step, cap);
    }
}

__global__ void stepRuleKernel(StepRuleNumbers rule, const float* energy, const float* before,
                               const float* steps, const float* caps, float* nextSteps,
                               float* nextCaps, std::int64_t n) {
    for (std::int64_t k = firstElement(); k < n; k += elementStep()) {
        double step = steps[k];
        double cap = caps[k];
        applyRule(rule, energy[k], before[k], step, cap);
        nextSteps[k] = static_cast<float>(step);
        nextCaps[k] = static_cast<float>(cap);
    }
}

} // namespace

void launchStepRule(const StepRuleNumbers& rule, const float* energy, const float* before,
                    const float* step, const float* cap, float* nextStep, float* nextCap,
                    std::int64_t n, StreamHandle stream) {
    KERNEL_LAUNCH(stepRuleKernel, blocksFor(n), blockThreads, 0, stream, rule, energy, before, step,
                  cap, nextStep, nextCap, n);
}

} // namespace weft::cuda
