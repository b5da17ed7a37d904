// SPDX-License-Identifier: Apache-2.0
#pragma once
// Looks after a run of several ranks: joins the host channel, ends this rank's waits when another
// rank has failed, says where this rank stands, finds an op that never ends and names a rank that
// is slow. A run of one process has nothing to watch; then all of this does nothing.

#include "comm/host/clock_probe.h"
#include "comm/host/host_words.h"
#include "comm/world.h"
#include "events/log.h"
#include "run/program_set.h"
#include "run/trainer.h"
#include "run/worker_pool.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

namespace weft {

class Watchdog {
public:
    /// The controls outlive it: a stop that the launcher hands on is their stop.
    explicit Watchdog(RunControls& controls);
    ~Watchdog();
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

    /// Joins the ranks that this process is one of, or makes a world of its own, and works in it.
    void inWorld(const std::function<void(World&)>& work);

    /// Whose waits end with the run. nullptr: no more.
    void guard(WorkerPool* pool);
    /// Failures and slow ranks are told here; it outlives the watchdog's threads or is taken back
    /// with nullptr.
    void tellThrough(EventLog* log);
    /// What this rank does outside its programs, as a message says it: "waiting for the decision".
    /// A literal.
    void enter(const char* what);

    /// All ranks have the same plan, or the run's failure is thrown.
    void agree(const ProgramSet& programSet);
    void tellFolder(const std::filesystem::path& folder);
    /// See HostLink; nothing without a channel.
    [[nodiscard]] std::optional<ClockMeasure> awaitClock(std::chrono::seconds limit);
    [[nodiscard]] std::optional<ClockMeasure> newClock();
    /// A failure here: what the run's first one was.
    [[nodiscard]] HostCause settle(const Error& mine, int rank);
    /// The run's failure, once it is known, and since when.
    [[nodiscard]] std::optional<HostCause> cause() const;
    [[nodiscard]] std::chrono::milliseconds sinceCause() const;
    /// This rank is the one that tells the user of it.
    [[nodiscard]] bool speaks() const;
    /// How long a collective may last: where somebody watches, it is the last net only.
    [[nodiscard]] std::chrono::seconds collectiveLimit() const;
    /// All has been said, and MPI has ended.
    void farewell();

private:
    /// Through what the launcher handed to this process; before MPI, which may never begin.
    void joinLauncher();
    /// Ranks that mpirun alone has started: rank 0 makes the channel and tells the others.
    void joinThrough(World& world);
    void guard(World* world);

    struct State;
    std::unique_ptr<State> state_;
};

} // namespace weft
