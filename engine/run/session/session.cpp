// SPDX-License-Identifier: Apache-2.0
#include "base/failure_text.h"
#include "base/process/threads.h"
#include "comm/world.h"
#include "compile/spread.h"
#include "run/session/attempt.h"
#include "run/session/run_begin.h"
#include "run/train/agreement.h"
#include "run/train/party.h"
#include "run/train/training_run.h"
#include "run/train/watchdog.h"
#include <weft/error.h>
#include <weft/launch.h>
#include <weft/runs.h>
#include <weft/session.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <iterator>
#include <mutex>
#include <thread>

namespace weft {

namespace {

/// The result of a failed run.
struct FailedRun {
    Error cause;
    std::string saved; ///< the result of saving
    bool isOurs = true;
};

/// True for failures that do not affect the numbers of the last whole step.
bool leavesNumbersGood(ErrorCode code) {
    return code == ErrorCode::peer || code == ErrorCode::timeout || code == ErrorCode::device ||
           code == ErrorCode::stopped;
}

std::string lastGood(const std::filesystem::path& folder) {
    try {
        const SavedCheckpoint last = lastCheckpoint(folder);
        return fmt::format("weft resume {} continues from step {}", folder.string(), last.step);
    } catch (const Error&) {
        return "there is no checkpoint to resume from";
    }
}

/// Saves what can be saved of a run that another rank or the world has ended: the last whole step,
/// if this process alone holds all slots. Returns a sentence with the result and where the run can
/// be resumed. Throws nothing.
std::string rescue(TrainingRun& run, RunAttempt& attempt, const Error& cause) {
    if (attempt.folder().empty()) {
        return {};
    }
    if (!leavesNumbersGood(cause.code())) {
        return lastGood(attempt.folder());
    }
    try {
        attempt.noteCheckpoint(run.steps(), run.rescue());
        return fmt::format("step {} was saved before the run ended: {}", run.steps(),
                           lastGood(attempt.folder()));
    } catch (const Error& error) {
        return fmt::format("step {} could not be saved ({}): {}", run.steps(), error.problem(),
                           lastGood(attempt.folder()));
    }
}

} // namespace

struct Session::State {
    SessionRequest request;
    RunControls controls;
    mutable std::mutex mutex;
    std::condition_variable ended;
    SessionState state = SessionState::preparing;
    std::filesystem::path directory;
    SessionOutcome outcome;
    std::string waitsFor;
    Watchdog watchdog{controls};
    std::jthread thread;

    void set(SessionState next) {
        const std::scoped_lock lock(mutex);
        state = next;
    }

    void run() {
        SessionOutcome result;
        try {
            result = perform();
        } catch (const FailedRun& failed) {
            result = outcomeOf(failed);
        } catch (...) {
            const HostCause cause = watchdog.reportFailure(currentError(), 0);
            result = outcomeOf({cause.error, {}, watchdog.isReporter()});
        }
        watchdog.farewell();
        const std::scoped_lock lock(mutex);
        outcome = std::move(result);
        state = outcome.state;
        ended.notify_all();
    }

    [[nodiscard]] SessionOutcome outcomeOf(const FailedRun& failed) const {
        SessionOutcome result;
        result.state = SessionState::failed;
        result.message = namingFile(failed.cause).what();
        result.message += (failed.saved.empty() ? "" : "\n") + failed.saved;
        result.code = failed.cause.code();
        result.isOurs = failed.isOurs;
        return result;
    }

    /// Adds the design's file to an error about the design or its size.
    [[nodiscard]] Error namingFile(const Error& cause) const {
        Where where = cause.where();
        const bool isOfDesign =
            cause.code() == ErrorCode::design || cause.code() == ErrorCode::memory;
        if (isOfDesign && where.file.empty()) {
            where.file = request.file.string();
        }
        return {cause.code(), std::move(where), cause.problem(), cause.remedy()};
    }

    SessionOutcome perform() {
        SessionOutcome result;
        watchdog.inWorld([&](World& world) { result = performIn(world, *makeRegistry()); });
        return result;
    }

    SessionOutcome performIn(World& world, const Registry& registry) {
        const RankSpread spread =
            spreadOver(devicesOnRanks(request.design, devicesFor(world), world.ranks()),
                       world.ranks(), world.rank());
        RunAttempt attempt(request, world, controls, spread.devices);
        const RunParticipant party =
            participantOf(world, spread, attempt.agreeOnMachine(), &watchdog);
        SessionOutcome result = train(requestFor(registry, spread, party), attempt, spread, world);
        result.isOurs = world.rank() == 0;
        return result;
    }

    /// Returns the run's devices. A run that began on fewer devices than there are ranks now
    /// resumes on its design's devices.
    [[nodiscard]] std::vector<std::string> devicesFor(const World& world) const {
        std::vector<std::string> devices = beginFor(request).devices;
        const bool areEnough = devices.size() >= static_cast<std::size_t>(world.ranks());
        return areEnough || !request.devices.empty() ? devices : std::vector<std::string>{};
    }

    RunRequest requestFor(const Registry& registry, const RankSpread& spread,
                          const RunParticipant& party) {
        RunRequest wanted{
            .design = &request.design, .registry = &registry, .devices = spread.devices};
        for (const DeviceId device : spread.local) {
            wanted.local.push_back(device.value);
        }
        const RunBegin begin = beginFor(request);
        wanted.backend = begin.backend;
        wanted.folders = {request.folder, request.data};
        if (!request.resume.empty() || !request.from.empty()) {
            std::ranges::copy(begin.folders, std::back_inserter(wanted.folders.others));
        }
        wanted.controls = &controls;
        wanted.preparesObserved = !request.isEvaluation;
        wanted.weights = request.weights;
        wanted.party = &party;
        return wanted;
    }

    /// Trains. A run that never begins leaves no folder, or leaves the run to resume as it was.
    SessionOutcome train(RunRequest wanted, RunAttempt& attempt, const RankSpread& spread,
                         World& world) {
        std::int64_t step = 0;
        std::unique_ptr<TrainingRun> run;
        try {
            if (!request.resume.empty()) {
                attempt.lockForResume();
                const SavedCheckpoint last = lastCheckpoint(attempt.folder());
                step = last.step;
                wanted.checkpoint = last.path;
                // Kernel choices of another backend are not reused.
                wanted.selection = beginOf(request.resume).backend == wanted.backend
                                       ? &attempt.previousSelection()
                                       : nullptr;
            } else if (!request.from.empty()) {
                const SavedCheckpoint last = lastCheckpoint(request.from);
                step = last.step;
                wanted.checkpoint = last.path;
            }
            watchdog.setActivity(nullptr);
            run = std::make_unique<TrainingRun>(std::move(wanted));
            watchdog.guard(&run->pool());
            watchdog.setActivity("the plan that all ranks agree on");
            watchdog.requireSamePlan(run->programSet());
            compareFormats(run->programSet(), run->pool(), spread.rankOf, world);
            open(attempt);
            attempt.begin(*run, watchdog);
            watchdog.reportTo(attempt.log());
            watchdog.setActivity(nullptr);
            step = run->firstStep();
            controls.mustWait = [this, &attempt] { return mustWait(attempt); };
            set(SessionState::running);
            SessionOutcome result = conclude(*run, attempt);
            release();
            for (const std::string& problem : attempt.close()) {
                result.message += (result.message.empty() ? "" : "; ") + problem;
            }
            return result;
        } catch (...) {
            const HostCause cause = watchdog.reportFailure(currentError(), world.rank());
            release();
            const bool isOurs = cause.speaker() == world.rank();
            decltype(FailedRun::saved) saved{};
            if (!attempt.isOpen() && isOurs && !request.resume.empty()) {
                saved = "the run is unchanged";
            }
            if (attempt.isOpen() && !attempt.hasLostFolder()) {
                attempt.fail(cause.error, step);
                if (run && isOurs) {
                    saved = rescue(*run, attempt, cause.error);
                }
                attempt.endFailed(run ? run->steps() : step, cause.error.what());
            }
            throw FailedRun{cause.error, saved, isOurs};
        }
    }

    /// Releases what the watchdog observes.
    void release() {
        watchdog.reportTo(nullptr);
        watchdog.guard(static_cast<WorkerPool*>(nullptr));
    }

    void open(RunAttempt& attempt) {
        attempt.open();
        const std::scoped_lock lock(mutex);
        directory = attempt.folderOnRank0();
        watchdog.announceFolder(attempt.folder());
    }

    /// Called on the trainer's thread with every decision.
    bool mustWait(const RunAttempt& attempt) {
        if (attempt.hasLostFolder()) {
            throw Error(ErrorCode::stopped, Where{.file = attempt.folder().string()},
                        "a later attempt has resumed this run", "weft attach follows that attempt");
        }
        std::string stall = attempt.stallReason();
        const std::scoped_lock lock(mutex);
        waitsFor = std::move(stall);
        return !waitsFor.empty();
    }

    SessionOutcome conclude(TrainingRun& run, RunAttempt& attempt) const {
        SessionOutcome result;
        if (request.isEvaluation) {
            const StepReport report = run.evaluate();
            result.state = SessionState::finished;
            result.loss = report.loss;
            result.evaluation = report.metrics;
            if (!std::isfinite(report.loss)) {
                throw Error(ErrorCode::numerics, {.file = request.weights},
                            "the validation loss is NaN or infinite",
                            "start from other weights, or correct the data");
            }
            result.message = fmt::format("{}", fmt::join(run.remarks(), "\n"));
            return result;
        }
        const TrainingOutcome outcome = run.train();
        const bool hasCheckpoint =
            outcome.end == TrainingEnd::notFinite && !newestCheckpoint(directory).empty();
        ensureFinite(outcome,
                     hasCheckpoint ? "; the last checkpoint is from before this step" : "");
        result.steps = outcome.steps;
        result.loss = outcome.last.loss;
        result.evaluation = outcome.evaluation.metrics;
        result.state = SessionState::finished;
        EndReason reason = EndReason::done;
        if (outcome.end == TrainingEnd::stopped) {
            result.state = SessionState::stopped;
            result.message = "stopped on request; weft resume " + directory.string() + " continues";
            reason = EndReason::stopped;
        }
        attempt.end(reason, outcome.steps, result.message);
        return result;
    }
};

Session::Session(SessionRequest request) : state_(std::make_unique<State>()) {
    state_->request = std::move(request);
    for (const std::string& layer : state_->request.observe) {
        state_->controls.observe.add(layer);
    }
    state_->thread = startThread("session", [state = state_.get()] { state->run(); });
}

Session::~Session() { stop(); }

SessionState Session::state() const {
    const std::scoped_lock lock(state_->mutex);
    return state_->state == SessionState::running && state_->controls.isPaused
               ? SessionState::paused
               : state_->state;
}

std::filesystem::path Session::directory() const {
    const std::scoped_lock lock(state_->mutex);
    return state_->directory;
}

std::optional<SessionFailure> Session::failure() const {
    const std::optional<HostCause> cause = state_->watchdog.cause();
    if (!cause) {
        return std::nullopt;
    }
    return SessionFailure{cause->error.what(), cause->error.code(), state_->watchdog.isReporter(),
                          state_->watchdog.timeSinceCause()};
}

std::string Session::waitsFor() const {
    const std::scoped_lock lock(state_->mutex);
    return state_->waitsFor;
}

void Session::stop() { state_->controls.stop = true; }

SessionOutcome Session::wait() {
    std::unique_lock lock(state_->mutex);
    state_->ended.wait(lock, [&] {
        return state_->state == SessionState::finished || state_->state == SessionState::stopped ||
               state_->state == SessionState::failed;
    });
    return state_->outcome;
}

} // namespace weft
