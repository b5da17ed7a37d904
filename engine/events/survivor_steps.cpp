// SPDX-License-Identifier: Apache-2.0
#include "events/survivor_steps.h"

#include <algorithm>
#include <utility>

namespace weft {

bool SurvivorSteps::isNewFromRank0(const StepKey& key) {
    first_ = std::max(first_, key);
    kept_.erase(kept_.begin(), kept_.upper_bound(key));
    return key > taken_;
}

bool SurvivorSteps::lacks(const StepKey& key) const {
    return key > first_ && key > taken_ && !kept_.contains(key);
}

void SurvivorSteps::keep(StepRecord record) {
    const StepKey key{record.attempt, record.step, record.split};
    kept_.try_emplace(key, std::move(record));
}

std::vector<StepRecord> SurvivorSteps::takeBefore(std::uint32_t attempt) {
    const auto end = kept_.lower_bound({.attempt = attempt, .step = 0, .split = Split::train});
    std::vector<StepRecord> steps;
    for (auto next = kept_.begin(); next != end; ++next) {
        taken_ = std::max(taken_, next->first);
        steps.push_back(std::move(next->second));
    }
    kept_.erase(kept_.begin(), end);
    return steps;
}

} // namespace weft
