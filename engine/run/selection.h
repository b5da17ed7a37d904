// SPDX-License-Identifier: Apache-2.0
#pragma once
// What select chose for a run: per device and member the kernel of every step and the formats it
// makes, the way that its library takes, and fingerprints of the plans. Kept as selection.json in
// the run's folder, from which a resume has the same again where its plans are the same.

#include "run/program_set.h"
#include "run/worker_pool.h"
#include "schedule/cached_kernels.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// JSON, the same for the same choices.
[[nodiscard]] std::string selectionText(const ProgramSet& programSet, const WorkerPool& pool);

/// A selection that was kept, read: nothing of a text that is none.
class RecordedSelection {
public:
    RecordedSelection() = default;
    explicit RecordedSelection(std::string_view text);
    /// For a device's program of that member; nullptr when it was made of another plan.
    [[nodiscard]] const CachedKernels* of(const std::string& device, const std::string& member,
                                          const Plan& plan) const;

private:
    std::map<std::string, std::string> plans_; ///< fingerprints by the name of their graph
    std::map<std::pair<std::string, std::string>, CachedKernels> kernels_; ///< by device and member
};

/// What another selection of the same plans chose otherwise: "cpu:0, train, conv1: conv2d: onednn
/// before, reference now". Nothing for other plans, whose bits differ anyway, and for a text that
/// is no selection.
[[nodiscard]] std::vector<std::string> changedSelections(std::string_view before,
                                                         std::string_view now);

} // namespace weft
