// SPDX-License-Identifier: Apache-2.0
#pragma once
// The second and third part of a preview: the simulated training step, and the memory of the run.

#include "front/preview/compile_step.h"
#include <weft/preview.h>

namespace weft {

/// Adds the step to the existing rows of a preview of that plan.
void addStep(Preview& preview, const std::shared_ptr<const Plan>& plan, const CompiledStep& step);
/// Adds the memory of the run to the devices of the preview.
void addRun(Preview& preview, const CompiledStep& step, const CompiledProgramSet& programSet);

} // namespace weft
