// SPDX-License-Identifier: Apache-2.0
#pragma once
// The learning rate of an update: a pure function of the settings and its number. Without a sync
// block every step is one.

#include <weft/design.h>
#include <weft/settings.h>

#include <cstdint>
#include <string>
#include <vector>

namespace weft {

/// `step` counts from 0 what is applied; `steps` is how much a run plans to, over which polynomial
/// and cosine come to their end unless they have a length of their own.
[[nodiscard]] double learningRate(const TrainingSettings& training, std::int64_t step,
                                  std::int64_t steps);

/// constant, step, polynomial, cosine; all with warm-up.
[[nodiscard]] const std::vector<SettingKind>& rateSchedules();

} // namespace weft
