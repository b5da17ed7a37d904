// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"
#include "base/threads.h"
#include "comm/world.h"
#include "events/run_directory.h"
#include "run/control.h"
#include "run/run_log.h"
#include "run/run_report.h"
#include "run/training_run.h"
#include <weft/design_file.h>
#include <weft/error.h>
#include <weft/runs.h>
#include <weft/session.h>
#include <weft/sinks.h>

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

namespace weft {

namespace {

std::vector<std::string> devicesOf(const SessionRequest& request) {
    if (!request.devices.empty()) {
        return request.devices;
    }
    std::vector<std::string> names;
    for (const DeviceDeclaration& device : request.design.devices) {
        names.push_back(device.name);
    }
    return names.empty() ? std::vector<std::string>{"cpu:0"} : names;
}

/// The newest whole checkpoint of a run; Error{file} when there is none.
std::filesystem::path lastCheckpoint(const std::filesystem::path& folder) {
    std::filesystem::path last;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "checkpoints", error)) {
        if (entry.path().extension() == ".safetensors" &&
            entry.path().filename() > last.filename()) {
            last = entry.path();
        }
    }
    if (last.empty()) {
        throw Error(ErrorCode::file, Where{.file = (folder / "checkpoints").string()},
                    "holds no checkpoint to go on from", "run the design anew");
    }
    return last;
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
    std::jthread thread;

    void set(SessionState next) {
        const std::scoped_lock lock(mutex);
        state = next;
    }

    void run() {
        SessionOutcome result;
        try {
            result = perform();
        } catch (const Error& error) {
            result.state = SessionState::failed;
            result.message = error.what();
            result.code = error.code();
        } catch (const std::exception& error) {
            result.state = SessionState::failed;
            result.message = error.what();
            result.code = ErrorCode::bug;
        }
        const std::scoped_lock lock(mutex);
        outcome = std::move(result);
        state = outcome.state;
        ended.notify_all();
    }

    std::optional<RunDirectory> openDirectory() const {
        if (!request.resume.empty()) {
            return RunDirectory::resume(request.resume);
        }
        if (!request.run.empty()) {
            return RunDirectory::createAt(request.run);
        }
        if (request.runs.empty() || request.isEvaluation) {
            return std::nullopt;
        }
        return RunDirectory::create(request.runs,
                                    request.design.name.empty() ? "run" : request.design.name);
    }

    SessionOutcome perform() {
        const auto registry = makeRegistry();
        const std::unique_ptr<World> world = joinWorld();
        const Spread spread = spreadOver(*world);
        RunRequest wanted{
            .design = &request.design, .registry = registry.get(), .devices = spread.devices};
        for (const DeviceId device : spread.local) {
            wanted.local.push_back(device.value);
        }
        const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
        wanted.cores = std::max(1, static_cast<int>(cores) / world->ranks());
        wanted.backend = request.backend;
        wanted.folders.base = request.folder;
        wanted.controls = &controls;
        wanted.weights = request.weights;
        if (!request.resume.empty()) {
            wanted.checkpoint = lastCheckpoint(request.resume);
        }
        Party party = partyOf(*world, spread);
        wanted.party = &party;
        try {
            return train(std::move(wanted), *world, spread);
        } catch (...) {
            // Whatever it was, the others may not be where a farewell would meet them.
            world->giveUp();
            throw;
        }
    }

    /// The run's devices, and which rank has which: in blocks, as evenly as they go.
    struct Spread {
        std::vector<std::string> devices;
        std::vector<int> rankOf;
        std::vector<DeviceId> all;
        std::vector<DeviceId> local;
    };

    Spread spreadOver(const World& world) const {
        Spread spread{.devices = devicesOf(request), .rankOf = {}, .all = {}, .local = {}};
        const auto ranks = static_cast<std::size_t>(world.ranks());
        while (spread.devices.size() < ranks) {
            spread.devices.push_back(fmt::format("cpu:{}", spread.devices.size()));
        }
        for (std::size_t k = 0; k < spread.devices.size(); ++k) {
            const auto id = DeviceId{static_cast<std::uint32_t>(k)};
            spread.rankOf.push_back(static_cast<int>(k * ranks / spread.devices.size()));
            spread.all.push_back(id);
            if (spread.rankOf.back() == world.rank()) {
                spread.local.push_back(id);
            }
        }
        return spread;
    }

    static Party partyOf(World& world, const Spread& spread) {
        Party party{.rank = world.rank(), .ranks = world.ranks(), .host = world.host()};
        if (spread.devices.size() == 1) {
            return party;
        }
        party.room = &world.room(spread.rankOf);
        if (world.ranks() == 1) {
            return party;
        }
        constexpr std::chrono::seconds limit{60};
        party.decide = makeDecide(*party.room, spread.all, spread.local, [] {
            std::this_thread::sleep_for(std::chrono::microseconds(50));
        });
        party.fetch = [&world, &spread](DeviceId device, std::span<std::byte> out) {
            world.bringToFirst(spread.rankOf[device.value], out, limit);
        };
        return party;
    }

    /// Ranks that would not run the same plan stop before the first step.
    static void compareFingerprints(const TrainingRun& run, World& world) {
        std::uint64_t mine = 0;
        for (const FamilyMember& member : run.family().members) {
            mine = hash64(print(*member.plan), mine);
        }
        std::vector<std::byte> bytes(sizeof(mine));
        std::memcpy(bytes.data(), &mine, sizeof(mine));
        world.shareFromFirst(bytes, std::chrono::seconds(60));
        std::uint64_t first = 0;
        std::memcpy(&first, bytes.data(), sizeof(first));
        if (first != mine) {
            throw Error(ErrorCode::peer, Where{.rank = world.rank(), .host = world.host()},
                        "this rank made another plan than rank 0",
                        "give all ranks the same design and version of Weft");
        }
    }

    static std::filesystem::path pathEverywhere(const std::optional<RunDirectory>& folder,
                                                World& world) {
        const std::string path = folder ? std::filesystem::absolute(folder->folder()).string() : "";
        std::vector<std::byte> bytes(path.size());
        std::memcpy(bytes.data(), path.data(), path.size());
        world.shareFromFirst(bytes, std::chrono::seconds(60));
        return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }

    /// Rank 0 makes the folder and tells the others.
    std::optional<RunDirectory> shareDirectory(World& world) const {
        return world.rank() == 0 ? openDirectory() : std::nullopt;
    }

    void announce(const RunDirectory& folder) {
        if (request.resume.empty()) {
            saveDesign(request.design, folder.design());
        }
        const std::scoped_lock lock(mutex);
        directory = folder.folder();
    }

    SessionOutcome train(RunRequest wanted, World& world, const Spread& spread) {
        // First all that can go wrong with the design: a run that never began leaves no folder.
        TrainingRun run(std::move(wanted));
        compareFingerprints(run, world);
        std::optional<RunDirectory> folder = shareDirectory(world);
        const std::filesystem::path where = pathEverywhere(folder, world);
        // In this order, so that the report still reads what the log writes last.
        std::unique_ptr<RunReport> report;
        std::unique_ptr<EventLog> log;
        std::unique_ptr<RunLog> listener;
        std::unique_ptr<Control> control;
        if (folder) {
            announce(*folder);
            control = std::make_unique<Control>(folder->control(), controls,
                                                [&folder] { folder->beat(); });
            report = std::make_unique<RunReport>(where, request.sinks);
        }
        if (!where.empty()) {
            run.keepCheckpoints(where / "checkpoints");
            LogSettings settings;
            settings.rank = world.rank();
            settings.attempt.number = folder ? folder->attempt() : readRunLock(where).attempt;
            settings.attempt.stepsBefore = run.firstStep();
            settings.attempt.ranks = world.ranks();
            settings.attempt.devices = spread.devices;
            log = std::make_unique<EventLog>(where, settings);
            listener = std::make_unique<RunLog>(*log, run.family(), run.pool());
            run.addListener(*listener);
            controls.mustWait = [this, &log] { return isLogFull(*log); };
        }
        set(SessionState::running);
        try {
            SessionOutcome result = conclude(run, listener.get());
            if (log) {
                log->close(std::chrono::seconds(30));
            }
            for (const std::string& problem :
                 report ? report->finish() : std::vector<std::string>{}) {
                result.message += (result.message.empty() ? "" : "; ") + problem;
            }
            return result;
        } catch (const Error& error) {
            if (listener) {
                listener->fail(error, run.firstStep());
                listener->end(EndReason::failed, run.firstStep(), error.what());
            }
            throw;
        }
    }

    /// On the trainer's thread, with every verdict.
    bool isLogFull(const EventLog& log) {
        const bool isFull = log.state() == LogState::exhausted;
        const std::scoped_lock lock(mutex);
        if (isFull == waitsFor.empty()) {
            waitsFor = isFull ? log.stallReason() + ": free space on its disk, the run then goes on"
                              : std::string();
        }
        return isFull;
    }

    SessionOutcome conclude(TrainingRun& run, RunLog* listener) const {
        SessionOutcome result;
        if (request.isEvaluation) {
            const StepReport report = run.evaluate();
            result.state = SessionState::finished;
            result.loss = report.loss;
            result.evaluation = report.metrics;
            return result;
        }
        const TrainingOutcome outcome = run.train();
        result.steps = outcome.steps;
        result.loss = outcome.last.loss;
        result.evaluation = outcome.evaluation.metrics;
        result.state = SessionState::finished;
        EndReason reason = EndReason::done;
        if (outcome.end == TrainingEnd::stopped) {
            result.state = SessionState::stopped;
            result.message = "stopped as asked; weft resume " + directory.string() + " goes on";
            reason = EndReason::stopped;
        } else if (outcome.end == TrainingEnd::notFinite) {
            throw Error(
                ErrorCode::numerics, {},
                fmt::format("the loss or a gradient of step {} is not a finite number",
                            outcome.steps),
                "lower the learning rate or clip gradients; the last checkpoint is from before");
        }
        if (listener != nullptr) {
            listener->end(reason, outcome.steps, result.message);
        }
        return result;
    }
};

Session::Session(SessionRequest request) : state_(std::make_unique<State>()) {
    state_->request = std::move(request);
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

std::string Session::waitsFor() const {
    const std::scoped_lock lock(state_->mutex);
    return state_->waitsFor;
}

void Session::pause() { state_->controls.pause = true; }
void Session::resume() { state_->controls.pause = false; }
void Session::step() {
    state_->controls.pause = true;
    state_->controls.stepOnce = true;
}
void Session::save() { state_->controls.save = true; }
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
