// SPDX-License-Identifier: Apache-2.0
#pragma once
// The rule of adaptive time steps (ops/sparse/step_rule.cpp) for one element of the batch.

#include <weft/attributes.h>

#include <vector>

namespace weft {

/// Returns the attributes base_minimum to log_slope, for the op and for layers with adaptive steps.
[[nodiscard]] std::vector<AttributeSpec> stepRuleAttributes();

class TimeStepRule {
public:
    explicit TimeStepRule(const Attributes& attributes);

    /// Updates the step and its cap from the element's energy and the energy before it.
    void apply(double energy, double before, double& step, double& cap) const;

private:
    [[nodiscard]] double growthAt(double cap) const; ///< factor by which the step's cap grows

    bool hasKnee_ = false;
    bool isLog_ = false;
    double minimum_, maximum_, tau_, growth_, kneeThreshold_, kneeSlope_, logThreshold_, logSlope_;
};

} // namespace weft
