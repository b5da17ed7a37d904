// SPDX-License-Identifier: Apache-2.0
#pragma once
// Assigns cores to devices. A core is claimed machine-wide, so that devices of one process and of
// several ranks get different cores; a claim ends with its object or process. If too few cores are
// free, nothing is bound and the system schedules the threads.

#include <vector>

namespace weft::cpu {

/// Returns the processing units that this process may use: one per physical core first, then their
/// siblings.
[[nodiscard]] std::vector<int> usableCores();

class CoreClaim {
public:
    /// Tries to claim `count` cores, all or none.
    explicit CoreClaim(int count);
    ~CoreClaim();
    CoreClaim(const CoreClaim&) = delete;
    CoreClaim& operator=(const CoreClaim&) = delete;

    /// Empty if the claim failed.
    [[nodiscard]] const std::vector<int>& cores() const { return cores_; } ///< claimed; empty: none

private:
    std::vector<int> cores_;        ///< indices of processing units; empty: no claim
    std::vector<int> claimSockets_; ///< Unix sockets whose names reserve the cores
};

/// Binds this thread, and threads that it later creates, to these cores; empty: no change.
void runThisThreadOn(const std::vector<int>& cores);

} // namespace weft::cpu
