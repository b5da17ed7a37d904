// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which cores a device computes on. A core is claimed machine-wide, so that the devices of one
// process and of several ranks beside each other get different ones; a claim ends with its object
// or its process. Where not enough cores are free, nothing is bound and the system spreads threads.

#include <vector>

namespace weft::cpu {

/// Processing units that this process may use, one per physical core first, then their siblings.
[[nodiscard]] std::vector<int> usableCores();

class CoreClaim {
public:
    /// Tries for `count` cores. All or none.
    explicit CoreClaim(int count);
    ~CoreClaim();
    CoreClaim(const CoreClaim&) = delete;
    CoreClaim& operator=(const CoreClaim&) = delete;

    /// Empty: none was to be had.
    [[nodiscard]] const std::vector<int>& cores() const { return cores_; }

private:
    std::vector<int> cores_;
    std::vector<int> sockets_;
};

/// This thread, and threads it makes from now on, run on any of these; empty: as before.
void runThisThreadOn(const std::vector<int>& cores);

} // namespace weft::cpu
