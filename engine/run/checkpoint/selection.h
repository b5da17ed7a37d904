// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kernels chosen for a run: per device and variant the kernel of every step, its formats and
// its library algorithm, and fingerprints of the plans. Kept as selection.json in the run's folder.
// A resume reuses the choices if its plans are the same.

#include "compile/program_set.h"
#include "run/execute/worker_pool.h"
#include "schedule/select/cached_kernels.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Returns JSON that is the same for the same choices.
[[nodiscard]] std::string selectionText(const ProgramSet& programSet, const WorkerPool& pool);

/// A selection read from a file. Empty if the text is not a selection.
class RecordedSelection {
public:
    RecordedSelection() = default;
    explicit RecordedSelection(std::string_view text);
    /// Returns the recorded choices for a device's program of the variant `member`, or nullptr if
    /// they were made for another plan.
    [[nodiscard]] const CachedKernels*
    choicesFor(const std::string& device, const std::string& member, const Plan& plan) const;

private:
    std::map<std::string, std::string> plans_; ///< plan fingerprints by graph name
    /// Kernel choices, keyed by device and variant.
    std::map<std::pair<std::string, std::string>, CachedKernels> kernels_;
};

/// Returns where another selection of the same plans differs: "cpu:0, train, conv1: conv2d: onednn
/// before, reference now". Empty for other plans, whose results differ anyway, and for a text that
/// is not a selection.
[[nodiscard]] std::vector<std::string> changedSelections(std::string_view before,
                                                         std::string_view now);

} // namespace weft
