// SPDX-License-Identifier: Apache-2.0
#pragma once
// What happened in a run, as lines: begun, evaluated, saved, held, ended, and what it said itself.

#include "session/run_follower.h"

#include <vector>

namespace weft::ui {

/// Messages of one read batch, in order; times are relative to the start of the run. `attempts`:
/// all so far.
[[nodiscard]] std::vector<RunMessage> storyOf(const RunBatch& batch,
                                              const std::vector<Attempt>& attempts);

} // namespace weft::ui
