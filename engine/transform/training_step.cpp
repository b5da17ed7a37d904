// SPDX-License-Identifier: Apache-2.0
#include "transform/training_step.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft {

namespace {

/// Returns the number of updates in this number of steps.
std::int64_t updatesIn(const TrainingSettings& training, std::int64_t steps) {
    return steps < training.firstUpdate
               ? 0
               : (steps - training.firstUpdate) / training.updatePeriod + 1;
}

std::int64_t syncsIn(const TrainingSettings& training, std::int64_t steps) {
    return updatesIn(training, steps) / training.syncEvery;
}

/// Returns the step of that sync, counted from 1.
std::int64_t stepOfSync(const TrainingSettings& training, std::int64_t sync) {
    return training.firstUpdate + (sync * training.syncEvery - 1) * training.updatePeriod;
}

} // namespace

std::string nameOf(const TrainingStep& step) {
    if (step.applies) {
        return {};
    }
    const std::string name = step.adds ? "accumulate" : "idle";
    return step.reduces ? name + " and reduce" : name;
}

StepDue stepDue(const TrainingSettings& training, std::int64_t step) {
    const std::int64_t syncs = syncsIn(training, step - 1);
    StepDue due;
    due.does.adds = updatesIn(training, step) > updatesIn(training, step - 1);
    const bool syncsNow = syncsIn(training, step) > syncs;
    if (!appliesOnePeriodLate(training)) {
        due.does.applies = syncsNow;
        due.does.reduces = syncsNow;
        due.applied = syncs;
        return due;
    }
    due.does.applies = syncsNow && syncs > 0;
    due.does.reduces = syncs > 0 && stepOfSync(training, syncs) == step - 1;
    due.applied = std::max<std::int64_t>(0, syncs - 1);
    return due;
}

std::int64_t periodBegin(const TrainingSettings& training, std::int64_t step) {
    // A mean that is applied late was accumulated one period earlier.
    const std::int64_t syncs =
        syncsIn(training, step - 1) - (appliesOnePeriodLate(training) ? 1 : 0);
    return syncs > 0 ? stepOfSync(training, syncs) : 0;
}

bool isPending(const TrainingSettings& training, std::int64_t steps) {
    return accumulatesGradients(training) &&
           updatesIn(training, steps) > meansAppliedIn(training, steps) * training.syncEvery;
}

std::string periodText(const TrainingSettings& training) {
    return fmt::format("sync_every {}, update_period {}, first_update {}, {}", training.syncEvery,
                       training.updatePeriod, training.firstUpdate, training.sync);
}

std::int64_t meansAppliedIn(const TrainingSettings& training, std::int64_t steps) {
    const std::int64_t syncs = syncsIn(training, steps);
    return appliesOnePeriodLate(training) ? std::max<std::int64_t>(0, syncs - 1) : syncs;
}

std::vector<StepKindCount> trainingSteps(const TrainingSettings& training) {
    const std::int64_t updates = training.syncEvery;
    const std::int64_t idle = (training.updatePeriod - 1) * updates;
    const bool isIdleFirst = training.firstUpdate > 1;
    std::vector<StepKindCount> steps;
    if (!appliesOnePeriodLate(training)) {
        steps.push_back({{}, 1});
        if (updates > 1) {
            steps.push_back({{.adds = true, .reduces = false, .applies = false}, updates - 1});
        }
        if (idle > 0 || isIdleFirst) {
            steps.push_back({{.adds = false, .reduces = false, .applies = false}, idle});
        }
        return steps;
    }
    const bool isAlone = updates == 1 && idle == 0;
    steps.push_back({{.adds = true, .reduces = isAlone, .applies = true}, 1});
    const bool reducesIdle = idle > 0;
    const bool reducesAdding = !reducesIdle && !isAlone;
    // Listed also if its count per settled period is 0, since the first period has one.
    steps.push_back({{.adds = true, .reduces = false, .applies = false},
                     updates - 1 - (reducesAdding ? 1 : 0)});
    if (reducesAdding) {
        steps.push_back({{.adds = true, .reduces = true, .applies = false}, 1});
    }
    if (idle > 1 || isIdleFirst) {
        steps.push_back({{.adds = false, .reduces = false, .applies = false},
                         std::max<std::int64_t>(0, idle - 1)});
    }
    if (reducesIdle) {
        steps.push_back({{.adds = false, .reduces = true, .applies = false}, 1});
    }
    return steps;
}

std::int64_t stepsOfPeriod(const TrainingSettings& training) {
    return training.updatePeriod * training.syncEvery;
}

bool appliesOnePeriodLate(const TrainingSettings& training) {
    return training.sync == "one period late";
}

bool accumulatesGradients(const TrainingSettings& training) {
    return training.syncEvery > 1 || appliesOnePeriodLate(training);
}

bool appliesEveryStep(const TrainingSettings& training) {
    return training.updatePeriod == 1 && training.firstUpdate == 1 &&
           !accumulatesGradients(training);
}

} // namespace weft
