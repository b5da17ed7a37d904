// SPDX-License-Identifier: Apache-2.0
#pragma once
// The sync block: what each step of a training does beside going forward. Every `update_period`
// steps, first at step `first_update`, its gradients are an update; after every `sync_every`
// updates, a period, their mean is applied: at once, or at the end of the next period.

#include <weft/design.h>

#include <cstdint>
#include <string>
#include <vector>

namespace weft {

/// Nothing of it: the step only goes forward.
struct TrainingStep {
    bool adds = true;    ///< makes gradients; they join the sum of the period
    bool reduces = true; ///< a sum that is whole is added up over devices
    bool applies = true; ///< a mean is applied to the parameters
    bool operator==(const TrainingStep&) const = default;
};

/// "", "accumulate", "idle and reduce": behind the name of a member; that which applies has none.
[[nodiscard]] std::string nameOf(const TrainingStep& step);

struct StepDue {
    TrainingStep does;
    std::int64_t applied = 0; ///< means that were applied before it
    bool operator==(const StepDue&) const = default;
};
/// `step` counts from 1.
[[nodiscard]] StepDue stepDue(const TrainingSettings& training, std::int64_t step);

/// The last step before `step` at whose end nothing was summed up: there a period began, or 0.
[[nodiscard]] std::int64_t periodBegin(const TrainingSettings& training, std::int64_t step);

/// After so many steps there are sums that are not applied yet.
[[nodiscard]] bool isPending(const TrainingSettings& training, std::int64_t steps);
/// "sync_every 4, update_period 1, first_update 1, at once"
[[nodiscard]] std::string periodText(const TrainingSettings& training);

/// Means that are applied in so many steps.
[[nodiscard]] std::int64_t appliedIn(const TrainingSettings& training, std::int64_t steps);

/// A kind of step that occurs in a long training, and how often in a period once it has settled.
struct StepShare {
    TrainingStep does;
    std::int64_t count = 1;
};
/// That which applies first; it uses all that any other does.
[[nodiscard]] std::vector<StepShare> trainingSteps(const TrainingSettings& training);
/// Steps from one sync to the next.
[[nodiscard]] std::int64_t stepsOfPeriod(const TrainingSettings& training);

/// A mean is applied one period late.
[[nodiscard]] bool isLate(const TrainingSettings& training);
/// Gradients are kept from one step to another.
[[nodiscard]] bool keepsSums(const TrainingSettings& training);
/// Every step is an update that is applied in it.
[[nodiscard]] bool appliesEveryStep(const TrainingSettings& training);

} // namespace weft
