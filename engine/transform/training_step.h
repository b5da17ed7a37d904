// SPDX-License-Identifier: Apache-2.0
#pragma once
// The sync block: which parts of an update each training step does besides the forward pass. Every
// `update_period` steps, starting at step `first_update`, a step's gradients form an update. After
// every `sync_every` updates (a period) their mean is applied, at once or at the end of the next
// period.

#include <weft/design.h>

#include <cstdint>
#include <string>
#include <vector>

namespace weft {

/// What a step does besides its forward pass. With all false it only runs forward.
struct TrainingStep {
    bool adds = true;    ///< computes gradients and adds them to the sum of the period
    bool reduces = true; ///< adds a complete sum up over devices
    bool applies = true; ///< applies a mean to the parameters
    bool operator==(const TrainingStep&) const = default;
};

/// Returns the suffix of a variant's name: "", "accumulate", "idle and reduce". The step that
/// applies has none.
[[nodiscard]] std::string nameOf(const TrainingStep& step);

struct StepDue {
    TrainingStep does;
    std::int64_t applied = 0; ///< means applied before this step
    bool operator==(const StepDue&) const = default;
};
/// Returns what this step does besides its forward pass: compute gradients, reduce their sum over
/// the devices, apply a mean. `step` counts from 1.
[[nodiscard]] StepDue stepDue(const TrainingSettings& training, std::int64_t step);

/// Returns the last step before `step` after which all sums were empty, where a period began; or 0.
[[nodiscard]] std::int64_t periodBegin(const TrainingSettings& training, std::int64_t step);

/// True if some sums are not applied yet after this number of steps.
[[nodiscard]] bool isPending(const TrainingSettings& training, std::int64_t steps);
/// Returns "sync_every 4, update_period 1, first_update 1, at once".
[[nodiscard]] std::string periodText(const TrainingSettings& training);

/// Returns the number of means applied in this number of steps.
[[nodiscard]] std::int64_t meansAppliedIn(const TrainingSettings& training, std::int64_t steps);

/// A kind of step that occurs in a long training, and its number per period once the training has
/// settled.
struct StepKindCount {
    TrainingStep does;
    std::int64_t count = 1;
};
/// Returns the kinds of steps. The first applies and uses everything that any other uses.
[[nodiscard]] std::vector<StepKindCount> trainingSteps(const TrainingSettings& training);
/// Returns the number of steps from one sync to the next.
[[nodiscard]] std::int64_t stepsOfPeriod(const TrainingSettings& training);

/// True if a mean is applied one period late.
[[nodiscard]] bool appliesOnePeriodLate(const TrainingSettings& training);
/// True if gradients are kept from one step to the next.
[[nodiscard]] bool accumulatesGradients(const TrainingSettings& training);
/// True if every step is an update that is applied at once.
[[nodiscard]] bool appliesEveryStep(const TrainingSettings& training);

} // namespace weft
