// SPDX-License-Identifier: Apache-2.0
#pragma once
// The ranks of a run as one of them sees them: who it is, the communicator that serves the run's
// devices, and small exchanges outside the step (parts of a checkpoint, agreement on the plan). A
// run of one process has a world of one rank.

#include "device/communicator.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace weft {

class World {
public:
    virtual ~World() = default;
    [[nodiscard]] virtual int rank() const = 0;
    [[nodiscard]] virtual int ranks() const = 0;
    [[nodiscard]] virtual const std::string& host() const = 0;
    /// Serves devices placed by `rankOf`; made once.
    [[nodiscard]] virtual Communicator& communicator(const std::vector<int>& rankOf) = 0;
    /// Brings bytes of one rank to rank 0; the ranks concerned call it in the same order.
    /// Error{timeout} past the limit.
    virtual void bringToFirst(int from, std::span<std::byte> bytes, std::chrono::seconds limit) = 0;
    /// What rank 0 has, everywhere.
    virtual void shareFromFirst(std::vector<std::byte>& bytes, std::chrono::seconds limit) = 0;
    /// Peers may be gone: this process leaves without the farewell that would wait for them, and
    /// the launcher, seeing that, ends the others.
    virtual void giveUp() = 0;
    /// Every wait of this world and its communicator throws Error{stopped}; from any thread.
    virtual void abort() = 0;
};

/// The world of one process, whose workers meet in the communicator of threads (or, `isStepped`, in
/// the simulated one).
[[nodiscard]] std::unique_ptr<World> makeLoneWorld(bool isStepped);

/// The world that the launcher of this process made: MPI's under mpirun, else a lone one.
/// Error{peer} when this build has no MPI though it was started by one.
[[nodiscard]] std::unique_ptr<World> joinWorld();

/// True when this build can have ranks.
[[nodiscard]] bool isMpiBuilt();

/// True when this process was started as one rank of several.
[[nodiscard]] bool isOneOfSeveral();

} // namespace weft
