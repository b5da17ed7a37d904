// SPDX-License-Identifier: Apache-2.0
#pragma once
// What select chose for a run: per device and member the kernel of every step and the formats it
// makes, and fingerprints of the plans. Kept as selection.json in the run's folder, where a resume
// looks whether it computes as the attempt before did.

#include "run/family.h"
#include "run/worker_pool.h"

#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// JSON, the same for the same choices.
[[nodiscard]] std::string selectionText(const Family& family, const WorkerPool& pool);

/// What another selection of the same plans chose otherwise: "cpu:0, train, conv1: conv2d: onednn
/// before, reference now". Nothing for other plans, whose bits differ anyway, and for a text that
/// is no selection.
[[nodiscard]] std::vector<std::string> changedSelections(std::string_view before,
                                                         std::string_view now);

} // namespace weft
