// SPDX-License-Identifier: Apache-2.0
#pragma once
// The centre of the host channel: it authenticates ranks, receives their heartbeats, and decides
// which failure of the run was the first. It belongs to the launcher, or to rank 0 if mpirun alone
// started the ranks. It runs on a thread of its own.

#include "comm/host/host_words.h"
#include "comm/host/proof.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weft {

struct HubSettings {
    int ranks = 1;                           ///< number of ranks
    Secret secret = {};                      ///< with which ranks authenticate themselves
    std::chrono::milliseconds limit{10'000}; ///< a rank that is silent for longer counts as lost
    std::chrono::milliseconds joinLimit{120'000}; ///< from the first rank to join to the last
    bool isAcrossHosts = false;                   ///< true: also listens on TCP
};

class HostHub {
public:
    explicit HostHub(HubSettings settings);
    /// Says farewell to the ranks that are still connected.
    ~HostHub();
    HostHub(const HostHub&) = delete;
    HostHub& operator=(const HostHub&) = delete;

    [[nodiscard]] const std::string& address() const; ///< where ranks connect, as text
    void stop(); ///< tells every rank to finish the step, save and end
    /// Reports the owner's reason to end the run; an earlier failure has priority.
    void fail(const Error& error); ///< a failure of the hub's owner

    [[nodiscard]] std::optional<HostCause> cause() const; ///< the run's first failure, if any
    /// Returns all ranks that have joined, including those that were lost or have left.
    [[nodiscard]] std::vector<RankIdentity> joined() const; ///< all that joined, even if lost since
    /// Returns the ranks that have joined and neither left nor were lost.
    [[nodiscard]] std::vector<int> present() const; ///< ranks that neither left nor were lost
    /// Returns the run's folder; empty until a rank has reported it.
    [[nodiscard]] std::string folder() const;   ///< the run's folder; empty: not reported yet
    [[nodiscard]] bool hasLeft(int rank) const; ///< true: the rank has said farewell

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace weft
