// SPDX-License-Identifier: Apache-2.0
#pragma once
// The second and the third part of a preview: what the training step takes, simulated, and what the
// run takes of memory.

#include "front/compile_step.h"
#include <weft/preview.h>

namespace weft {

/// Into the rows that are there, of that plan.
void addStep(Preview& preview, const std::shared_ptr<const Plan>& plan, const CompiledStep& step);
void addRun(Preview& preview, const CompiledStep& step, const CompiledProgramSet& programSet);

} // namespace weft
