// SPDX-License-Identifier: Apache-2.0
#pragma once
// Saves what can be saved of a run that another rank or the world has ended: the last whole step,
// if this process alone holds all slots.

#include "run/session/attempt.h"
#include "run/train/training_run.h"
#include <weft/error.h>

#include <string>

namespace weft {

/// Tries to save. Returns a sentence with the result and where the run can be resumed. Throws
/// nothing.
[[nodiscard]] std::string rescue(TrainingRun& run, RunAttempt& attempt, const Error& cause);

} // namespace weft
