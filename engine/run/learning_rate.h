// SPDX-License-Identifier: Apache-2.0
#pragma once
// The learning rate of a step: a pure function of the settings and the step.

#include <weft/design.h>

#include <cstdint>
#include <string>
#include <vector>

namespace weft {

/// `step` counts from 0; `steps` is the run's planned length, over which polynomial and cosine come
/// to their end.
[[nodiscard]] double learningRate(const TrainingSettings& training, std::int64_t step,
                                  std::int64_t steps);

struct RateScheduleInfo {
    std::string name;
    std::string help;
    std::vector<AttributeSpec> attributes;
};
/// constant, step, polynomial, cosine; all with warm-up.
[[nodiscard]] const std::vector<RateScheduleInfo>& rateSchedules();

} // namespace weft
