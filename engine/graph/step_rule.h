// SPDX-License-Identifier: Apache-2.0
#pragma once
// The rule of adaptive time steps (ops/step_rule.cpp) for one element of the batch.

#include <weft/attributes.h>

#include <vector>

namespace weft {

/// base_minimum to log_slope: of the op, and of layers whose steps adapt.
[[nodiscard]] std::vector<AttributeSpec> stepRuleAttributes();

class StepRule {
public:
    explicit StepRule(const Attributes& attributes);

    /// By its energy and the one before it: the next step, and the cap of steps.
    void apply(double energy, double before, double& step, double& cap) const;

private:
    [[nodiscard]] double growthAt(double cap) const;

    bool hasKnee_ = false;
    bool isLog_ = false;
    double minimum_, maximum_, tau_, growth_, kneeThreshold_, kneeSlope_, logThreshold_, logSlope_;
};

} // namespace weft
