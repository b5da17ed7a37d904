// SPDX-License-Identifier: Apache-2.0
#include "base/files/files.h"
#include "base/process/keeper.h"
#include "base/process/supervised_program.h"
#include "base/process/threads.h"
#include "base/process/waiting.h"
#include "comm/host/host_hub.h"
#include "comm/host/host_keys.h"
#include "comm/world.h"
#include "compile/host_share.h"
#include "compile/registry.h"
#include "events/last_words.h"
#include "events/run_directory.h"
#include "run/session/mpirun_line.h"
#include <weft/launch.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace weft {

namespace {

using std::chrono::milliseconds;

/// After a failure: leaveLimit is for ranks of a begun run to save and end, refuseLimit for ranks
/// to say why no run could begin.
constexpr milliseconds leaveLimit{20'000};
constexpr milliseconds refuseLimit{2'000};
/// emptyLimit is for mpirun to end after its last rank. passOnLimit applies when a rank was stopped
/// or cut off: mpirun will not end by itself, and only passes on output.
constexpr milliseconds emptyLimit{10'000};
constexpr milliseconds passOnLimit{1'000};
/// How long some ranks may have joined while the processes of others are missing.
constexpr milliseconds missLimit{1'000};

/// Waits until the run's folder, if there is one, can be resumed, and removes its mailbox.
void freeRunFolder(const std::filesystem::path& run) {
    // A killed process closes its files only when its last thread is gone.
    const Deadline deadline(std::chrono::seconds(2));
    while (!run.empty() && readRunLock(run).isHeld && !deadline.hasPassed()) {
        std::this_thread::sleep_for(milliseconds(5));
    }
    removeControlOfDeadRun(run);
}

} // namespace

struct Launch::State {
    LaunchRequest request;
    HostKeys keys;
    std::unique_ptr<HostHub> hub;
    std::string line;
    std::atomic<bool> mustEnd = false;

    mutable std::mutex mutex; ///< guards the members below
    std::condition_variable ended;
    bool hasEnded = false;
    LaunchOutcome outcome;
    std::jthread thread;

    /// Runs mpirun. Called on a thread of its own.
    void run(const ProgramRequest& program) {
        LaunchOutcome result;
        try {
            SupervisedProgram mpirun(program);
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

    /// Waits for mpirun to end. Ends it when there is nothing left to wait for.
    void lookAfter(SupervisedProgram& mpirun) const {
        std::optional<Deadline> leave;
        std::optional<Deadline> empty;
        std::optional<Deadline> miss;
        while (!mpirun.hasEnded()) {
            std::this_thread::sleep_for(milliseconds(20));
            const bool hasRun = !hub->folder().empty();
            if (hasRun) {
                mpirun.mayFinish();
            }
            if (!isAnyoneMissing(mpirun)) {
                miss.reset();
            } else if (!miss) {
                miss.emplace(missLimit);
            } else if (miss->hasPassed()) {
                hub->fail(Error(ErrorCode::peer, {},
                                "a rank ended before it had connected to the others",
                                "see why the rank ended, and start the run again"));
            }
            if (hub->cause() && !leave) {
                leave.emplace(hasRun ? leaveLimit : miss ? milliseconds(0) : refuseLimit);
            }
            const bool isEmpty = !hub->joined().empty() && hub->present().empty();
            if (isEmpty && !empty) {
                empty.emplace(hub->cause() && isAnyoneLost() ? passOnLimit : emptyLimit);
            } else if (!isEmpty) {
                empty.reset();
            }
            const bool isLate = (leave && leave->hasPassed()) || (empty && empty->hasPassed());
            if (mustEnd || isLate) {
                mpirun.end();
            }
        }
    }

    /// True if a rank of this host died before it joined. Because of --enable-recovery mpirun does
    /// not report that, and the other ranks would wait.
    [[nodiscard]] bool isAnyoneMissing(const SupervisedProgram& mpirun) const {
        const auto ranks = static_cast<std::size_t>(request.ranks);
        const std::size_t joined = hub->joined().size();
        return joined > 0 && joined < ranks && !isAcrossHosts(request) &&
               childrenOf(mpirun.process()).size() < ranks;
    }

    /// True if a rank joined and ended without a farewell.
    [[nodiscard]] bool isAnyoneLost() const {
        return std::ranges::any_of(
            hub->joined(), [this](const RankIdentity& rank) { return !hub->hasLeft(rank.rank); });
    }

    LaunchOutcome conclude(const SupervisedProgram& mpirun) const {
        freeRunFolder(hub->folder());
        const std::string itsWords = mpirun.sideFileText();
        const std::optional<HostCause> cause = hub->cause();
        // If the cause is known, messages of the MPI libraries about its consequences are left out.
        keepInTheRunsLog(cause ? withoutTraces(itsWords) : itsWords);
        if (const std::optional<Error> own = ownCause(mpirun, cause.has_value())) {
            keepInTheRun(*own);
            // The output of mpirun is the message if no other cause is known.
            const bool isCauseKnown =
                cause || own->code() == ErrorCode::stopped || itsWords.empty();
            return {true, own->code(),
                    own->what() + (isCauseKnown ? "" : "; its output:\n" + itsWords)};
        }
        if (cause) {
            // The first surviving rank reports the failure, if it came that far.
            const bool isSaid = hub->hasLeft(cause->speaker());
            keepInTheRun(cause->error);
            return {true, cause->error.code(), isSaid ? std::string() : cause->error.what()};
        }
        return {};
    }

    /// Returns why the run ended if its ranks do not know, or know only the consequence.
    [[nodiscard]] std::optional<Error> ownCause(const SupervisedProgram& mpirun,
                                                bool isKnown) const {
        const bool hasBegun = !hub->joined().empty();
        if (mustEnd) {
            return Error(ErrorCode::stopped, {},
                         hasBegun ? "the ranks were ended on request before they had finished"
                                  : "the launch was ended on request before any rank had started",
                         hub->folder().empty() ? "start the run again"
                                               : "weft resume continues from the last checkpoint");
        }
        const std::string when = hasBegun ? "" : " before any rank had started";
        if (mpirun.wasKilled()) {
            return Error(ErrorCode::peer, Where{.op = "mpirun"},
                         fmt::format("was killed by signal {}{}", mpirun.code() - 128, when),
                         hub->folder().empty() ? "start the run again"
                                               : "weft resume continues from the last checkpoint");
        }
        if (!isKnown && (mpirun.code() != 0 || !hasBegun)) {
            return Error(ErrorCode::peer, Where{.op = "mpirun"},
                         fmt::format("ended with code {}{}", mpirun.code(), when),
                         "check that mpirun starts other programs: mpirun -n 2 hostname");
        }
        return std::nullopt;
    }

    /// Writes why the run ended if no rank could.
    void keepInTheRun(const Error& error) const {
        if (hub->folder().empty()) {
            return;
        }
        try {
            logFailureOfDeadRun(hub->folder(), error);
        } catch (const Error&) {
            // The caller gets the error. The disk that could not store the run's end cannot store
            // this complaint either.
        }
    }

    /// Appends mpirun's output to the log of a run, if there is one.
    void keepInTheRunsLog(const std::string& words) const {
        if (words.empty() || hub->folder().empty()) {
            return;
        }
        const std::filesystem::path path = std::filesystem::path(hub->folder()) / "log.txt";
        // O_NONBLOCK: a pipe of that name must not block the launcher.
        const FileHandle log(
            ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666));
        if (log.isOpen()) {
            static_cast<void>(!::write(log.get(), words.data(), words.size()));
        }
    }
};

void requireLaunchable(const LaunchRequest& request) {
    if (!isMpiBuilt()) {
        throw Error(ErrorCode::device, {}, "this build of Weft has no MPI, which starts the ranks",
                    "install libopenmpi-dev and build again, or run with --devices");
    }
    static_cast<void>(findMpirun());
    if (!request.hosts.empty()) {
        constexpr std::size_t longest = std::size_t{1} << 20U;
        static_cast<void>(readFile(request.hosts, longest)); // to its end, as mpirun would read it
    }
    constexpr int ranksPerCore = 16;
    const int cores = coresOf(devicesFound(*makeRegistry()));
    if (!isAcrossHosts(request) && request.ranks > ranksPerCore * cores) {
        throw Error(ErrorCode::usage, {},
                    fmt::format("{} ranks are too many for the {} cores of this machine",
                                request.ranks, cores),
                    fmt::format("start at most {} ranks, or name more machines with --hosts",
                                ranksPerCore * cores));
    }
}

Launch::Launch(LaunchRequest request) : state_(std::make_unique<State>()) {
    requireLaunchable(request);
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
    ProgramRequest program = mpirunFor(s.request, environment);
    s.line = shellLine(program.arguments);
    s.thread = startThread("launch", [&s, program = std::move(program)] { s.run(program); });
}

Launch::~Launch() {
    end();
    if (state_->thread.joinable()) {
        state_->thread.join();
    }
}

const std::string& Launch::line() const { return state_->line; }

void Launch::stop() { state_->hub->joined().empty() ? end() : state_->hub->stop(); }

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
