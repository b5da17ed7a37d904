// SPDX-License-Identifier: Apache-2.0
#pragma once
// A rank's end of the host channel: sends a heartbeat every second on a thread of its own, and
// receives failures of other ranks. It works even when MPI does not.

#include "comm/host/clock_probe.h"
#include "comm/host/host_words.h"
#include "comm/host/proof.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace weft {

struct LinkSettings {
    std::string address; ///< address of the hub
    Secret secret = {};  ///< to authenticate itself
    RankIdentity identity = {};
    int ranks = 1;                           ///< number of ranks
    RankIdentity hubOwner = {};              ///< the owner of the hub; rank -1: the launcher
    std::chrono::milliseconds limit{10'000}; ///< a hub that is silent for longer counts as lost
};

/// Called on the link's thread; must return soon.
struct LinkHooks {
    std::function<RankActivity()> stand = {};             ///< returns what this rank does now
    std::function<void(const HostCause&)> onFailure = {}; ///< called at most once, if the run fails
    std::function<void()> onStop = {};                    ///< called when the run shall stop early
    std::function<void()> onLook = {};                    ///< called several times a second
};

class HostLink {
public:
    /// Connects and proves the secret. Throws Error{peer} if that fails.
    HostLink(LinkSettings settings, LinkHooks hooks);
    /// Without a previous farewell the other ranks consider this rank lost.
    ~HostLink();
    HostLink(const HostLink&) = delete;
    HostLink& operator=(const HostLink&) = delete;

    /// Waits until all ranks have reported the same plan. Throws the run's failure, or
    /// Error{timeout}.
    void agree(std::uint64_t fingerprint, std::chrono::seconds limit); ///< until plans are equal
    void sendFolder(const std::string& folder); ///< sends the run's folder to the hub
    /// Waits for the offset from this rank's steady clock to rank 0's, if these differ. None if no
    /// measure arrives in time.
    [[nodiscard]] std::optional<ClockMeasure> awaitClock(std::chrono::seconds limit);
    [[nodiscard]] std::optional<ClockMeasure> newClock(); ///< returns each later measure once
    void reportFailure(const Error& mine);                ///< this rank failed; thread-safe
    /// Reports a failure of this rank, waits, and returns the run's first failure: this one or an
    /// earlier one.
    [[nodiscard]] HostCause settle(const Error& mine); ///< reports it, and awaits the first failure
    /// Announces that this rank ends normally, or has reported its failure.
    void farewell(); ///< announces the normal end, or that a failure was reported

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace weft
