// SPDX-License-Identifier: Apache-2.0
#pragma once
// The format in which a parameter, its gradient and its optimizer state are stored: the same for
// all of them and without padding, so that no step reorders them. The training program settles the
// format; other variants take it over.

#include "schedule/select/kernel_chooser.h"
#include "schedule/task.h"

namespace weft {

/// Chooses for each parameter the format that its kernels prefer, weighted by their operations, or
/// takes the format of `settled`. Parameters that are split into blocks, exchanged in blocks or
/// held by different backends stay plain.
void chooseStoredFormats(LocalPlan& local, const KernelChooser& chooser, int cores,
                         const std::vector<SlotBuffer>* settled);

/// Returns the format of a value that is a slot or a slot's gradient; plain for all other values.
[[nodiscard]] Format storedFormat(const LocalPlan& local, int value);

} // namespace weft
