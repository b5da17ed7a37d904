// SPDX-License-Identifier: Apache-2.0
#pragma once
// Handles a repeat that no single kernel serves: selects kernels for its body and lays the body out
// as a program of one stream in the scratch memory of the repeat's step. Values that do not change
// between iterations are computed once, first. Captured operands may have any format; carried
// values keep the format of their kernels if that saves reorders; all other operands and results
// are plain.

#include "schedule/task.h"

#include <memory>

namespace weft {

/// Sets the task's iterations, operations and traffic. Its request gives the formats of its
/// operands. Adds the refusals of kernels of the body.
[[nodiscard]] std::shared_ptr<const KernelChoice>
chooseBodyKernels(Task& task, const KernelChooser& chooser, const SelectRequest& request,
                  std::vector<std::string>& refusals);

} // namespace weft
