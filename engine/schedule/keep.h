// SPDX-License-Identifier: Apache-2.0
#pragma once
// The format in which a parameter, its gradient and its optimizer state are kept: one for all of
// them, without padding, so that nothing that lives across steps is reordered in a step. Settled on
// the training program; the other members of the family take it as it is.

#include "schedule/kernel_chooser.h"
#include "schedule/task.h"

namespace weft {

/// Chooses for each parameter what its kernels preferred most, weighed by their arithmetic, or
/// takes what `settled` has. What is cut, exchanged in blocks or held by unlike backends stays
/// plain.
void keepFormats(LocalPlan& local, const KernelChooser& chooser, int cores,
                 const std::vector<SlotBuffer>* settled);

/// The format a value is to have because it is a slot or a slot's gradient; plain for all others.
[[nodiscard]] Format keptFormat(const LocalPlan& local, int value);

} // namespace weft
