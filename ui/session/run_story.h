// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What happened in a run, as lines: begun, evaluated, saved, held, ended, and what it said itself.

#include "session/run_follower.h"

#include <vector>

namespace weft::ui {

/// Of what was read at once, in order; times are since the run began. `attempts`: all so far.
[[nodiscard]] std::vector<RunMessage> storyOf(const RunBatch& batch,
                                              const std::vector<Attempt>& attempts);

} // namespace weft::ui
