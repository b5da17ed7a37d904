// SPDX-License-Identifier: Apache-2.0
#pragma once
// The learning rate of an update: a pure function of the settings and the update's number. Without
// a sync block every step is an update.

#include <weft/design.h>
#include <weft/settings.h>

#include <cstdint>
#include <string>
#include <vector>

namespace weft {

/// Returns the learning rate of an update. `step` counts updates from 0; `steps` is the planned
/// number of updates, over which polynomial and cosine decay unless they have a length of their
/// own.
[[nodiscard]] double learningRate(const TrainingSettings& training, std::int64_t step,
                                  std::int64_t steps);

/// Returns the schedules: constant, step, polynomial, cosine; all with warm-up.
[[nodiscard]] const std::vector<SettingKind>& rateSchedules();

} // namespace weft
