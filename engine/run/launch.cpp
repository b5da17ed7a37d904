// SPDX-License-Identifier: Apache-2.0
#include "base/environment.h"
#include "base/threads.h"
#include "base/waiting.h"
#include "comm/host/host_hub.h"
#include "comm/host/host_keys.h"
#include "comm/world.h"
#include "events/last_words.h"
#include "run/child_process.h"
#include "run/leftovers.h"
#include "run/mpirun_line.h"
#include <weft/launch.h>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <utility>

namespace weft {

namespace {

using std::chrono::milliseconds;

/// After a failure: for ranks to write what is left and leave.
constexpr milliseconds leaveLimit{20'000};
/// For mpirun to end once the last rank has left, and once it is told to end.
constexpr milliseconds emptyLimit{10'000};
constexpr milliseconds endLimit{5'000};

bool isAcrossHosts(const LaunchRequest& request) {
    return !request.hosts.empty() || std::atoi(fromEnvironment("SLURM_JOB_NUM_NODES").c_str()) > 1;
}

std::vector<std::string>
namesOf(const std::vector<std::pair<std::string, std::string>>& environment) {
    std::vector<std::string> names;
    names.reserve(environment.size());
    for (const auto& [name, value] : environment) {
        names.push_back(name);
    }
    return names;
}

void requireMpi() {
    if (!isMpiBuilt()) {
        throw Error(ErrorCode::device, {}, "this build of Weft has no MPI to start ranks with",
                    "install libopenmpi-dev and build again, or run with --devices");
    }
}

} // namespace

struct Launch::State {
    LaunchRequest request;
    HostKeys keys;
    std::unique_ptr<HostHub> hub;
    std::string line;
    std::atomic<bool> mustEnd = false;

    mutable std::mutex mutex; ///< of what follows
    std::condition_variable ended;
    bool hasEnded = false;
    LaunchOutcome outcome;
    std::jthread thread;

    /// On a thread of its own.
    void run(const std::filesystem::path& program, const std::vector<std::string>& arguments,
             const std::vector<std::pair<std::string, std::string>>& environment) {
        LaunchOutcome result;
        try {
            ChildProcess mpirun(program, arguments, environment);
            lookAfter(mpirun);
            result = conclude(mpirun);
        } catch (const Error& error) {
            result = {true, error.code(), error.what()};
        }
        const std::scoped_lock lock(mutex);
        outcome = std::move(result);
        hasEnded = true;
        ended.notify_all();
    }

    /// Until mpirun has ended: by itself, or because nothing is left for it to wait for.
    void lookAfter(ChildProcess& mpirun) const {
        std::optional<Deadline> leave;
        std::optional<Deadline> empty;
        while (!mpirun.hasEnded()) {
            std::this_thread::sleep_for(milliseconds(20));
            if (hub->cause() && !leave) {
                leave.emplace(leaveLimit);
            }
            const bool isEmpty = !hub->joined().empty() && hub->present().empty();
            if (isEmpty && !empty) {
                empty.emplace(emptyLimit);
            } else if (!isEmpty) {
                empty.reset();
            }
            const bool isLate = (leave && leave->hasPassed()) || (empty && empty->hasPassed());
            // A rank that was stopped or cut off will not end by itself.
            const bool isLeftOver = isEmpty && hub->cause() && isAnyoneLost();
            if (mustEnd || isLate || isLeftOver) {
                mpirun.end(endLimit);
            }
        }
    }

    /// A rank that joined and went without a farewell.
    [[nodiscard]] bool isAnyoneLost() const {
        return std::ranges::any_of(
            hub->joined(), [this](const RankIdentity& rank) { return !hub->hasLeft(rank.rank); });
    }

    LaunchOutcome conclude(const ChildProcess& mpirun) const {
        const std::vector<RankIdentity> ranks = hub->joined();
        killLeftRanks(ranks);
        removeLeftFiles(ranks, mpirun.process());
        freeRunFolder(hub->folder());
        if (const std::optional<HostCause> cause = hub->cause()) {
            // The first of those that were left speaks for all, if it came that far.
            const bool isSaid = hub->hasLeft(cause->speaker());
            keepInTheRun(cause->error);
            return {true, cause->error.code(), isSaid ? std::string() : cause->error.what()};
        }
        if (mpirun.code() != 0 || ranks.empty()) {
            const Error error(ErrorCode::peer, {},
                              fmt::format("mpirun ended with code {}{}", mpirun.code(),
                                          ranks.empty() ? " before any rank had begun" : ""),
                              "see what it says above");
            keepInTheRun(error);
            return {true, error.code(), error.what()};
        }
        return {};
    }

    /// Where no rank came to write why the run ended.
    void keepInTheRun(const Error& error) const {
        if (hub->folder().empty()) {
            return;
        }
        try {
            writeLastWords(hub->folder(), error);
        } catch (const Error&) {
            // Whoever waits is told; the disk that did not take the run's end takes no complaint.
        }
    }
};

Launch::Launch(LaunchRequest request) : state_(std::make_unique<State>()) {
    requireMpi();
    const std::filesystem::path program = findMpirun();
    State& s = *state_;
    s.request = std::move(request);
    s.keys.secret = drawSecret();
    s.hub = std::make_unique<HostHub>(HubSettings{.ranks = s.request.ranks,
                                                  .secret = s.keys.secret,
                                                  .limit = limitsFromEnvironment().silence,
                                                  .isAcrossHosts = isAcrossHosts(s.request)});
    s.keys.address = s.hub->address();
    auto environment = environmentOf(s.keys);
    if (::isatty(STDOUT_FILENO) == 0) {
        // mpirun gives ranks a terminal whatever its own output is.
        environment.emplace_back("TERM", "dumb");
    }
    const auto arguments = mpirunArguments(s.request, ::geteuid() == 0, namesOf(environment));
    s.line = shellLine(arguments);
    s.thread = startThread("launch", [&s, program, arguments, environment] {
        s.run(program, arguments, environment);
    });
}

Launch::~Launch() {
    end();
    if (state_->thread.joinable()) {
        state_->thread.join();
    }
}

const std::string& Launch::line() const { return state_->line; }
void Launch::stop() { state_->hub->stop(); }

void Launch::end() { state_->mustEnd = true; }

bool Launch::hasEnded() const {
    const std::scoped_lock lock(state_->mutex);
    return state_->hasEnded;
}

LaunchOutcome Launch::wait() {
    std::unique_lock lock(state_->mutex);
    state_->ended.wait(lock, [this] { return state_->hasEnded; });
    return state_->outcome;
}

} // namespace weft
