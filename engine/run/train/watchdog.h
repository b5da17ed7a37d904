// SPDX-License-Identifier: Apache-2.0
#pragma once
// Watches a run of several ranks: joins the host channel, ends this rank's waits when another rank
// has failed, reports this rank's position, and detects an op that never ends or a rank that is
// slow. In a run of one process all functions do nothing.

#include "comm/host/clock_probe.h"
#include "comm/host/host_words.h"
#include "comm/world.h"
#include "compile/program_set.h"
#include "events/log.h"
#include "run/execute/worker_pool.h"
#include "run/train/trainer.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

namespace weft {

class Watchdog {
public:
    /// The controls must outlive the watchdog. A stop from the launcher becomes their stop.
    explicit Watchdog(RunControls& controls);
    ~Watchdog();
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

    /// Joins this process's ranks, or makes a world of one rank, and calls `work` with that world.
    void inWorld(const std::function<void(World&)>& work);

    /// Sets the pool whose waits end with the run. nullptr: none.
    void guard(WorkerPool* pool);
    /// Reports failures and slow ranks to this log. The log must outlive the watchdog's threads or
    /// be removed with nullptr.
    void reportTo(EventLog* log);
    /// Names what this rank does outside its programs, for messages: "waiting for the decision".
    /// Must be a string literal.
    void setActivity(const char* what);

    /// Returns if all ranks have the same plan. Otherwise throws the run's failure.
    void requireSamePlan(const ProgramSet& programSet);
    void announceFolder(const std::filesystem::path& folder);
    /// See HostLink. Returns none without a channel.
    [[nodiscard]] std::optional<ClockMeasure> awaitClock(std::chrono::seconds limit);
    [[nodiscard]] std::optional<ClockMeasure> newClock();
    /// Reports a failure of this rank. Returns the first failure of the run.
    [[nodiscard]] HostCause reportFailure(const Error& mine, int rank);
    /// Returns the run's failure once it is known; `timeSinceCause` returns its age.
    [[nodiscard]] std::optional<HostCause> cause() const;
    [[nodiscard]] std::chrono::milliseconds timeSinceCause() const;
    [[nodiscard]] bool isReporter() const; ///< this rank reports the failure to the user
    /// Returns how long a collective may take. With a watchdog on every rank this is only a last
    /// resort.
    [[nodiscard]] std::chrono::seconds collectiveLimit() const;
    /// Call when everything has been reported and MPI has ended.
    void farewell();

private:
    /// Joins through what the launcher passed to this process, before MPI, which may never start.
    void joinLauncher();
    /// For ranks that mpirun alone has started: rank 0 creates the channel and informs the others.
    void joinThrough(World& world);
    void guard(World* world);

    struct State;
    std::unique_ptr<State> state_;
};

} // namespace weft
