// SPDX-License-Identifier: Apache-2.0
#pragma once
// What can be saved of a run that another rank, or the world, has ended: the last whole step, where
// this process alone holds all of it.

#include "run/attempt.h"
#include "run/training_run.h"
#include <weft/error.h>

#include <string>

namespace weft {

/// Saves, or does not; in a sentence what came of it and where the run can go on. Throws nothing.
[[nodiscard]] std::string rescue(TrainingRun& run, RunAttempt& attempt, const Error& cause);

} // namespace weft
