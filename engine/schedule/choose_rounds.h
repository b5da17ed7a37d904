// SPDX-License-Identifier: Apache-2.0
#pragma once
// A repeat that no kernel serves as a whole: its body is selected and laid out as a program of one
// stream, in the scratch of the repeat's step. What is the same in every round is computed before
// the first. What is captured may lie in any format, and what is carried goes round in that which
// its kernels make where rounds then reorder less; all else that goes in or out lies plain.

#include "schedule/task.h"

#include <memory>

namespace weft {

/// Fills the task's rounds, arithmetic and traffic; its request says how its operands lie. Refusals
/// of kernels inside are added.
[[nodiscard]] std::shared_ptr<const KernelChoice> chooseRounds(Task& task,
                                                               const KernelChooser& chooser,
                                                               const SelectRequest& request,
                                                               std::vector<std::string>& refusals);

} // namespace weft
