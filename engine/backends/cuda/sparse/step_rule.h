// SPDX-License-Identifier: Apache-2.0
#pragma once
// The next time steps and caps, one per batch element, in double.

#include "backends/cuda/kernels/stream_handle.h"

#include <cstdint>

namespace weft::cuda {

/// The parameters of graph/step_rule.h.
struct StepRuleNumbers {
    bool hasKnee = false, isLog = false; ///< growth is reduced above a threshold
    double minimum = 1, maximum = 1;     ///< step and cap at the start and after the energy rises
    double tau = 1, growth = 1, kneeThreshold = 1, kneeSlope = 1;
    double logLength = 1; ///< length over which growth falls to 1 / e
};
void launchStepRule(const StepRuleNumbers& rule, const float* energy, const float* before,
                    const float* step, const float* cap, float* nextStep, float* nextCap,
                    std::int64_t n, StreamHandle stream);

} // namespace weft::cuda
