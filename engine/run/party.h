// SPDX-License-Identifier: Apache-2.0
#pragma once
// Who takes part in a run: this process alone, or one rank of several. What a run needs of the
// others goes through this; it knows no MPI.

#include "comm/world.h"
#include "run/checkpoint.h"
#include "run/not_finite.h"
#include "run/spread.h"
#include "run/step_decision.h"
#include "schedule/price.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace weft {

class Watchdog;

struct Party {
    int rank = 0;
    int ranks = 1;
    std::string host = {};
    Communicator* communicator = nullptr; ///< serves all devices of the run
    bool isStepped = false; ///< one thread drives all workers (the simulated communicator)
    FetchPart fetch = {};
    ShareFromFirst share = {};
    Decide decide = {};
    /// What every rank says, by rank; all of them call it. Empty: this is the only one.
    std::function<std::vector<std::int64_t>(std::int64_t mine)> hear = {};
    Links links = {};               ///< where the devices are, of what machines
    std::chrono::seconds limit{60}; ///< a collective that lasts longer ends the run
};

/// On that machine each. World, spread and watchdog outlive it; the watchdog, where there is one,
/// is told what this rank waits for.
[[nodiscard]] Party partyOf(World& world, const RankSpread& spread, MachineSheet machine,
                            Watchdog* watchdog = nullptr);

} // namespace weft
