// SPDX-License-Identifier: Apache-2.0
#pragma once
// The participants of a run: this process alone, or one rank of several. A run reaches the other
// ranks only through this; nothing here depends on MPI.

#include "comm/world.h"
#include "compile/spread.h"
#include "run/checkpoint/checkpoint.h"
#include "run/observe/not_finite.h"
#include "run/train/step_decision.h"
#include "schedule/predict/price.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace weft {

class Watchdog;

struct RunParticipant {
    int rank = 0;
    int ranks = 1;
    std::string host = {};                ///< name of this rank's host
    Communicator* communicator = nullptr; ///< serves all devices of the run
    bool isStepped = false;        ///< one thread runs all workers (the simulated communicator)
    FetchPart fetch = {};          ///< sends a device's part of a slot to rank 0
    BroadcastFromFirst share = {}; ///< copies rank 0's bytes to all ranks
    Decide decide = {};            ///< takes the step decision with all ranks
    /// Returns each rank's number, by rank. All ranks call it. Empty if this is the only rank.
    std::function<std::vector<std::int64_t>(std::int64_t mine)> gatherNumbers = {};
    Links links = {};               ///< the hosts of the devices and their kinds of machine
    std::chrono::seconds limit{60}; ///< a collective that takes longer ends the run
};

/// Returns the party of a rank on this machine. World, spread and watchdog must outlive it. The
/// watchdog, if there is one, is informed what this rank waits for.
[[nodiscard]] RunParticipant participantOf(World& world, const RankSpread& spread,
                                           MachineSheet machine, Watchdog* watchdog = nullptr);

} // namespace weft
