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
    int ranks = 1;
    Secret secret = {};
    std::chrono::milliseconds limit{10'000}; ///< a rank that is silent for longer counts as lost
    /// Between the first rank to join and the last.
    std::chrono::milliseconds joinLimit{120'000};
    bool isAcrossHosts = false;
};

class HostHub {
public:
    explicit HostHub(HubSettings settings);
    /// Says farewell to the ranks that are still connected.
    ~HostHub();
    HostHub(const HostHub&) = delete;
    HostHub& operator=(const HostHub&) = delete;

    [[nodiscard]] const std::string& address() const;
    /// Tells every rank to finish the step, save and end.
    void stop();
    /// Reports the owner's reason to end the run; an earlier failure has priority.
    void fail(const Error& error);

    [[nodiscard]] std::optional<HostCause> cause() const;
    /// Returns all ranks that have joined, including those that were lost or have left.
    [[nodiscard]] std::vector<RankIdentity> joined() const;
    /// Returns the ranks that have joined and neither left nor were lost.
    [[nodiscard]] std::vector<int> present() const;
    /// Returns the run's folder; empty until a rank has reported it.
    [[nodiscard]] std::string folder() const;
    /// True if this rank has said farewell.
    [[nodiscard]] bool hasLeft(int rank) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace weft
