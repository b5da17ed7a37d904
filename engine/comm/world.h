// SPDX-License-Identifier: Apache-2.0
#pragma once
// The ranks of a run from one rank's view: its number, the communicator for the run's devices, and
// small exchanges outside the step (parts of a checkpoint, agreement on the plan). A run of one
// process has a world of one rank.

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
    [[nodiscard]] virtual int ranks() const = 0;               ///< number of ranks
    [[nodiscard]] virtual const std::string& host() const = 0; ///< this rank's host name
    /// Returns the communicator for devices placed by `rankOf`; created once.
    [[nodiscard]] virtual Communicator& communicator(const std::vector<int>& rankOf) = 0;
    /// Sends bytes of one rank to rank 0; both ranks call it in the same order. Throws
    /// Error{timeout} after the limit.
    virtual void bringToFirst(int from, std::span<std::byte> bytes, std::chrono::seconds limit) = 0;
    /// Copies rank 0's bytes to all ranks.
    virtual void shareFromFirst(std::vector<std::byte>& bytes, std::chrono::seconds limit) = 0;
    /// Call when peers may be gone: this process ends without MPI_Finalize, which would wait for
    /// them. The launcher notices and ends the other ranks.
    virtual void giveUp() = 0; ///< peers may be gone: end this process without MPI_Finalize
    /// Makes every wait of this world and its communicator throw Error{stopped}. Thread-safe.
    virtual void abort() = 0; ///< makes every wait throw Error{stopped}; thread-safe
};

/// Makes the world of a single process, with the communicator of threads, or with `isSimulated` the
/// simulated one.
[[nodiscard]] std::unique_ptr<World> makeLoneWorld(bool isSimulated);

/// Joins the world that this process's launcher created: MPI's under mpirun, else a world of one
/// rank. Throws Error{peer} if this build lacks MPI although mpirun started it.
[[nodiscard]] std::unique_ptr<World> joinWorld();

[[nodiscard]] bool isMpiBuilt(); ///< true: this build supports several ranks

/// True if this process was started as one of several ranks.
[[nodiscard]] bool isOneOfSeveralRanks(); ///< true: the launcher started several ranks

} // namespace weft
