// SPDX-License-Identifier: Apache-2.0
#pragma once
// A rank's end of the host channel: beats every second on a thread of its own, which hears what the
// others came to. It works when MPI does not.

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
    std::string address; ///< of the hub
    Secret secret = {};
    RankIdentity identity = {};
    int ranks = 1;
    RankIdentity keeper = {}; ///< whoever has the hub; rank -1: the launcher
    std::chrono::milliseconds limit{10'000};
};

/// Called on the link's thread; must return soon.
struct LinkHooks {
    std::function<HostStand()> stand = {};
    std::function<void(const HostCause&)> onFailure = {}; ///< once
    std::function<void()> onStop = {};
    std::function<void()> onLook = {}; ///< some times a second
};

class HostLink {
public:
    /// Connects and proves the secret; Error{peer} when it cannot.
    HostLink(LinkSettings settings, LinkHooks hooks);
    /// Without a farewell the others take this rank for dead.
    ~HostLink();
    HostLink(const HostLink&) = delete;
    HostLink& operator=(const HostLink&) = delete;

    /// Waits until all ranks have named the same plan. Throws the run's failure, or
    /// Error{timeout}.
    void agree(std::uint64_t fingerprint, std::chrono::seconds limit);
    void tellFolder(const std::string& folder);
    /// What makes a time of this rank's steady clock one of rank 0's, where they read different
    /// ones: the first measure, or nothing where none comes in time.
    [[nodiscard]] std::optional<ClockMeasure> awaitClock(std::chrono::seconds limit);
    /// A later one, once.
    [[nodiscard]] std::optional<ClockMeasure> newClock();
    /// Tells of a failure here; from any thread.
    void tell(const Error& mine);
    /// Tells of a failure here, waits and says what the run's first one was: this one, or an
    /// earlier one.
    [[nodiscard]] HostCause settle(const Error& mine);
    /// All is well from here on, or all has been said.
    void farewell();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace weft
