// SPDX-License-Identifier: Apache-2.0
#pragma once
// The events of a run as lines of text: start, evaluation, checkpoint, pause, end, and its own
// messages.

#include "runs/run_follower.h"

#include <vector>

namespace weft::ui {

/// Returns the messages of one batch in order, with times relative to the start of the run.
/// `attempts`: all attempts so far.
[[nodiscard]] std::vector<RunMessage> storyOf(const RunBatch& batch,
                                              const std::vector<Attempt>& attempts);

} // namespace weft::ui
