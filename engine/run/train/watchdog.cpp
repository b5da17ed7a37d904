// SPDX-License-Identifier: Apache-2.0
#include "run/train/watchdog.h"

#include "base/failure_text.h"
#include "base/process/environment.h"
#include "base/process/steady_clock.h"
#include "comm/host/host_hub.h"
#include "comm/host/host_keys.h"
#include "comm/host/host_link.h"
#include "run/execute/executor.h"
#include "run/train/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace weft {

namespace {

using std::chrono::milliseconds;

RankIdentity thisRank(int rank) { return {rank, hostName(), steadyClockName()}; }

} // namespace

struct Watchdog::State {
    RunControls& controls;
    HostLimits limits = {};
    RankIdentity me = {};
    std::unique_ptr<HostHub> hub;
    std::unique_ptr<HostLink> link;
    std::atomic<const char*> doing = "beginning";
    std::atomic<std::int64_t> doingSince = nowNanoseconds();

    mutable std::mutex mutex; ///< guards the members below
    World* world = nullptr;
    WorkerPool* pool = nullptr;
    EventLog* log = nullptr;
    EventChannel* channel = nullptr; ///< used by the link's thread
    const Plan* plan = nullptr;
    std::int64_t stillLimit = 0; ///< nanoseconds an op may take
    std::int64_t namedSlow = 0;  ///< begin of the wait in which a slow rank was reported
    std::vector<std::pair<int, std::int64_t>> standing; ///< per stream: its step and when it began
    std::int64_t standingSince = 0;
    std::optional<HostCause> cause;
    std::int64_t causeTime = 0;

    explicit State(RunControls& given) : controls(given) {}

    void connect(const HostKeys& keys, int ranks, RankIdentity hubOwner) {
        LinkSettings settings{.address = keys.address,
                              .secret = keys.secret,
                              .identity = me,
                              .ranks = ranks,
                              .hubOwner = std::move(hubOwner),
                              .limit = limits.silence};
        LinkHooks hooks{.stand = [this] { return stand(); },
                        .onFailure = [this](const HostCause& first) { fail(first); },
                        .onStop = [this] { controls.stop = true; },
                        .onLook = [this] { look(); }};
        link = std::make_unique<HostLink>(std::move(settings), std::move(hooks));
    }

    /// Returns this rank's position for messages: that of the first stream that waits for others.
    RankActivity stand() const {
        const std::scoped_lock lock(mutex);
        if (pool != nullptr) {
            for (const StreamPosition& stream : pool->streamPositions()) {
                if (stream.waitsIn != nullptr) {
                    return standOf(stream);
                }
            }
        }
        const char* what = doing.load();
        return {.waits = what != nullptr, .op = what == nullptr ? "" : what};
    }

    RankActivity standOf(const StreamPosition& stream) const {
        Arrivals names = arrivalsAt(*stream.waitsIn, *plan);
        return {.waits = true,
                .layer = plan->graph->layerName(stream.what->origin),
                .op = stream.what->name,
                .arrived = std::move(names.arrived),
                .missing = std::move(names.missing)};
    }

    /// Called on the link's thread.
    void fail(const HostCause& first) {
        const std::scoped_lock lock(mutex);
        cause = first;
        causeTime = nowNanoseconds();
        if (channel != nullptr) {
            channel->failure(0, failureText(first.error));
        }
        if (world != nullptr) {
            world->abort();
        }
        if (pool != nullptr) {
            pool->abort(std::make_exception_ptr(first.error));
        }
    }

    /// Called on the thread of this rank's HostLink, several times a second. Warns about ranks that
    /// keep this rank waiting, and ends the run if an op of this rank is stuck.
    void look() {
        const std::scoped_lock lock(mutex);
        if (pool == nullptr || cause) {
            return;
        }
        const std::int64_t now = nowNanoseconds();
        warnOfSlowRanks(now);
        const std::vector<StreamPosition> streams = pool->streamPositions();
        for (const StreamPosition& stream : streams) {
            if (stream.what == nullptr || stream.since == 0) {
                continue;
            }
            if (stream.waitsIn != nullptr) {
                warnOfSlowRanks(stream, now);
            } else if (now - stream.since > stillLimit) {
                endStuck(stream, now, stream.since);
                return;
            }
        }
        findStandstill(streams, now);
    }

    /// Detects a standstill: no stream works, none waits for another rank, and none moves on. Then
    /// a stream was blocked between two ops.
    void findStandstill(const std::vector<StreamPosition>& streams, std::int64_t now) {
        std::vector<std::pair<int, std::int64_t>> stands;
        const StreamPosition* first = nullptr;
        for (const StreamPosition& stream : streams) {
            stands.emplace_back(stream.step, stream.since);
            if (stream.waitsIn != nullptr) {
                first = nullptr;
                break;
            }
            if (first == nullptr && stream.what != nullptr) {
                first = &stream;
            }
        }
        if (first == nullptr || stands != standing) {
            standing = std::move(stands);
            standingSince = now;
        } else if (now - standingSince > stillLimit) {
            endStuck(*first, now, standingSince);
        }
    }

    /// True once for each wait that has become long.
    [[nodiscard]] bool isNews(std::int64_t since, std::int64_t now) {
        if (now - since < std::chrono::nanoseconds(limits.silence / 2).count() ||
            since <= namedSlow || channel == nullptr) {
            return false;
        }
        namedSlow = now;
        return true;
    }

    /// Reports slow ranks. Outside programs nobody knows which ranks have arrived.
    void warnOfSlowRanks(std::int64_t now) {
        const char* what = doing.load();
        const std::int64_t since = doingSince.load();
        if (what != nullptr && isNews(since, now)) {
            channel->text(TextLevel::warning, 0,
                          fmt::format("another rank is slow: rank {} has waited {:.1f} s in {}",
                                      me.rank, static_cast<double>(now - since) * 1e-9, what));
        }
    }

    void warnOfSlowRanks(const StreamPosition& stream, std::int64_t now) {
        const std::int64_t waited = now - stream.since;
        if (!isNews(stream.since, now)) {
            return;
        }
        const RankActivity stand = standOf(stream);
        channel->text(TextLevel::warning, 0,
                      fmt::format("{} is slow: rank {} has waited {:.1f} s for it in {} (arrived: "
                                  "{})",
                                  listed(stand.missing), me.rank,
                                  static_cast<double>(waited) * 1e-9, stand.op,
                                  listed(stand.arrived)));
    }

    void endStuck(const StreamPosition& stream, std::int64_t now, std::int64_t since) {
        const Error error(
            ErrorCode::timeout,
            Where{.rank = me.rank,
                  .host = me.host,
                  .layer = plan->graph->layerName(stream.what->origin),
                  .op = stream.what->name},
            fmt::format("this op has run for {:.0f} s on {}, but {:.3g} s were predicted",
                        static_cast<double>(now - since) * 1e-9, plan->devices[stream.device.value],
                        static_cast<double>(stream.what->predicted.count) * 1e-9),
            "check what delays that machine; weft resume continues from the last checkpoint");
        pool->abort(std::make_exception_ptr(error));
        link->reportFailure(error);
    }

    void guardPool(WorkerPool* given) {
        pool = given;
        if (pool == nullptr) {
            return;
        }
        plan = pool->program(0, 0).program().plan.get();
        Nanoseconds longest;
        for (std::size_t w = 0; w < pool->size(); ++w) {
            for (std::size_t m = 0; m < pool->variantCount(); ++m) {
                for (const Step& step : pool->program(w, m).program().steps) {
                    longest = std::max(longest, step.predicted);
                }
            }
        }
        constexpr std::int64_t times = 20;
        stillLimit = std::max<std::int64_t>(std::chrono::nanoseconds(limits.still).count(),
                                            times * longest.count);
        // A rank that stands still is found before the ranks that wait for it time out.
        pool->setCollectiveLimit(std::chrono::nanoseconds(2 * stillLimit));
    }
};

Watchdog::Watchdog(RunControls& controls) : state_(std::make_unique<State>(controls)) {}

Watchdog::~Watchdog() {
    // The hub last: other ranks may still need the message that all is well.
    state_->link.reset();
}

void Watchdog::inWorld(const std::function<void(World&)>& work) {
    joinLauncher();
    setActivity("the start of MPI");
    const std::unique_ptr<World> world = joinWorld();
    guard(world.get());
    try {
        joinThrough(*world);
        work(*world);
        guard(static_cast<World*>(nullptr));
    } catch (...) {
        guard(static_cast<World*>(nullptr));
        // After any failure, other ranks may not take part in a farewell.
        world->giveUp();
        throw;
    }
}

void Watchdog::joinLauncher() {
    const std::optional<HostKeys> keys = keysFromEnvironment();
    const int rank = rankFromEnvironment();
    if (!keys || rank < 0) {
        return;
    }
    state_->limits = limitsFromEnvironment();
    state_->me = thisRank(rank);
    state_->connect(*keys, ranksFromEnvironment(), {});
}

void Watchdog::joinThrough(World& world) {
    if (state_->link || world.ranks() == 1) {
        return;
    }
    state_->limits = limitsFromEnvironment();
    state_->me = thisRank(world.rank());
    HostKeys keys;
    if (world.rank() == 0) {
        keys.secret = drawSecret();
        state_->hub = std::make_unique<HostHub>(HubSettings{.ranks = world.ranks(),
                                                            .secret = keys.secret,
                                                            .limit = state_->limits.silence,
                                                            .isAcrossHosts = isSpreadOverHosts()});
        keys.address = state_->hub->address();
    }
    const std::string text = textOf(keys) + "\n" + state_->me.host;
    std::vector<std::byte> bytes(text.size());
    std::memcpy(bytes.data(), text.data(), text.size());
    world.shareFromFirst(bytes, std::chrono::seconds(60));
    const std::string_view shared(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const auto line = shared.find('\n');
    state_->connect(keysFrom(shared.substr(0, line)), world.ranks(),
                    {.rank = 0, .host = std::string(shared.substr(line + 1))});
}

void Watchdog::guard(World* world) {
    const std::scoped_lock lock(state_->mutex);
    state_->world = world;
    if (world != nullptr && state_->cause) {
        world->abort();
    }
}

void Watchdog::guard(WorkerPool* pool) {
    const std::scoped_lock lock(state_->mutex);
    if (!state_->link) {
        return;
    }
    state_->guardPool(pool);
    if (pool != nullptr && state_->cause) {
        pool->abort(std::make_exception_ptr(state_->cause->error));
    }
}

void Watchdog::reportTo(EventLog* log) {
    const std::scoped_lock lock(state_->mutex);
    state_->channel = log == nullptr || !state_->link ? nullptr : &log->makeChannel("watchdog");
}

void Watchdog::setActivity(const char* what) {
    state_->doingSince = nowNanoseconds();
    state_->doing = what;
}

void Watchdog::requireSamePlan(const ProgramSet& programSet) {
    if (state_->link) {
        state_->link->agree(fingerprintOf(programSet), std::chrono::minutes(10));
    }
}

void Watchdog::announceFolder(const std::filesystem::path& folder) {
    if (state_->link && !folder.empty()) {
        state_->link->sendFolder(folder.string());
    }
}

std::optional<ClockMeasure> Watchdog::awaitClock(std::chrono::seconds limit) {
    return state_->link ? state_->link->awaitClock(limit) : std::nullopt;
}

std::optional<ClockMeasure> Watchdog::newClock() {
    return state_->link ? state_->link->newClock() : std::nullopt;
}

HostCause Watchdog::reportFailure(const Error& mine, int rank) {
    setActivity(nullptr);
    if (!state_->link) {
        return {mine, {rank}};
    }
    Where where = mine.where();
    if (where.rank < 0) {
        where.rank = state_->me.rank;
        where.host = state_->me.host;
    }
    return state_->link->settle(Error(mine.code(), where, mine.problem(), mine.remedy()));
}

std::optional<HostCause> Watchdog::cause() const {
    const std::scoped_lock lock(state_->mutex);
    return state_->cause;
}

milliseconds Watchdog::timeSinceCause() const {
    const std::scoped_lock lock(state_->mutex);
    return milliseconds(state_->cause ? (nowNanoseconds() - state_->causeTime) / 1'000'000 : 0);
}

bool Watchdog::isReporter() const {
    const std::scoped_lock lock(state_->mutex);
    return !state_->cause || state_->cause->speaker() == state_->me.rank;
}

std::chrono::seconds Watchdog::collectiveLimit() const {
    constexpr std::chrono::seconds usual{60};
    const auto still = std::chrono::duration_cast<std::chrono::seconds>(state_->limits.still);
    return state_->link ? std::max(usual, 2 * still) : usual;
}

void Watchdog::farewell() {
    if (state_->link) {
        state_->link->farewell();
    }
}

} // namespace weft
