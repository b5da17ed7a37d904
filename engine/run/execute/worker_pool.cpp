// SPDX-License-Identifier: Apache-2.0
#include "run/execute/worker_pool.h"

#include "base/process/threads.h"
#include "comm/worker_communicator.h"
#include <weft/error.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <limits>
#include <optional>
#include <thread>

namespace weft {

void WaitingBatch::allocate(std::size_t worker, Device& device, Bytes size) {
    if (size.count > 0) {
        memories_[worker].device = &device;
        memories_[worker].arena = device.allocate(size);
    }
}

void WaitingBatch::claim(const void* owner) {
    const std::scoped_lock lock(mutex_);
    owner_ = owner;
}

bool WaitingBatch::copyIn(const void* owner, std::size_t worker, std::int64_t offset,
                          const void* from, Bytes size) {
    const std::scoped_lock lock(mutex_);
    if (owner_ != owner) {
        return false;
    }
    WorkerMemory& place = memories_[worker];
    place.bringing.begin = offset == 0 ? nowNanoseconds() : place.bringing.begin;
    place.device->bring(static_cast<std::byte*>(place.arena->address()) + offset, from, size);
    place.bringing.end = nowNanoseconds();
    return true;
}

void WaitingBatch::markComplete() {
    const std::scoped_lock lock(timesMutex_);
    for (WorkerMemory& place : memories_) {
        place.brought = place.bringing;
    }
}

bool WaitingBatch::copyToProgram(const void* owner, std::size_t worker, void* to,
                                 std::int64_t offset, Bytes size) {
    const std::scoped_lock lock(mutex_);
    if (owner_ != owner) {
        return false;
    }
    const WorkerMemory& place = memories_[worker];
    place.device->place(to, static_cast<const std::byte*>(place.arena->address()) + offset, size);
    return true;
}

SpanTime WaitingBatch::copyTime(std::size_t worker) const {
    const std::scoped_lock lock(timesMutex_);
    return memories_[worker].brought;
}

namespace {

struct Worker {
    LocalDevice local;
    std::vector<Program> made = {}; ///< programs that wait for memory
    std::unique_ptr<Arena> slots = {};
    std::unique_ptr<Arena> work = {};
    std::unique_ptr<Arena> staging = {};             ///< nullptr: the host computes nothing for it
    std::unique_ptr<Communicator> communicator = {}; ///< its own; nullptr: that of the pool
    std::vector<std::unique_ptr<Stream>> streams = {};
    std::vector<BoundProgram> programs = {};
};

std::size_t streamsOf(const Worker& worker) {
    std::size_t most = 1;
    for (const BoundProgram& bound : worker.programs) {
        most = std::max(most, bound.streams());
    }
    return most;
}

} // namespace

struct WorkerPool::State {
    std::shared_ptr<ActivityPage> standing; ///< must outlive the workers' programs
    std::vector<Worker> workers;
    Communicator* communicator = nullptr;
    bool isStepped = false;
    std::unique_ptr<WaitingBatch> waiting; ///< destroyed before the devices
    FirstFailure fault;

    // Hand-over between the caller and the streams.
    std::mutex mutex;
    std::condition_variable wake; ///< a run begins, or the pool ends
    std::condition_variable done;
    std::uint64_t generation = 0;
    std::atomic<std::size_t> member = 0;
    bool isWhole = true; ///< the last run has completed
    std::size_t running = 0;
    bool ends = false;
    std::size_t making = 0; ///< workers whose programs are being made
    bool isJudged = false;  ///< `admit` has decided whether memory suffices
    std::size_t preparing = 0;
    bool streamsKnown = false;
    bool isPrepared = false; ///< no worker failed to prepare; valid after `streamsKnown`
    /// The end of the previous run by the streams' clocks. The next run begins no earlier anywhere.
    std::int64_t latest = std::numeric_limits<std::int64_t>::min();
    std::int64_t runBegin = latest;
    std::vector<std::jthread> threads;

    /// Executes `work`. False if it failed; then the error is the fault.
    bool tried(const std::function<void()>& work) {
        try {
            work();
            return true;
        } catch (...) {
            fault.set(std::current_exception());
            return false;
        }
    }

    /// Starts a thread. False if the system provides no more threads.
    template <class Run>
    bool start(const std::string& name, Run&& run) {
        return tried([&] { threads.push_back(startThread(name, std::forward<Run>(run))); });
    }

    void allocate(Worker& worker) const {
        const ArenaNeed need = arenaNeed(worker.made);
        worker.slots = worker.local.device->allocate(need.slots);
        worker.work = worker.local.device->allocate(need.work);
        worker.staging =
            need.staging.count == 0 ? nullptr : worker.local.device->allocatePinned(need.staging);
        waiting->allocate(static_cast<std::size_t>(&worker - workers.data()), *worker.local.device,
                          need.ahead);
        Communicator* meets =
            worker.communicator == nullptr ? communicator : worker.communicator.get();
        for (Program& program : worker.made) {
            worker.programs.emplace_back(
                std::move(program), meets, worker.slots->address(), worker.work->address(),
                worker.staging == nullptr ? nullptr : worker.staging->address());
        }
        worker.made.clear();
    }

    void judge(const Admit& admit) {
        std::vector<const LocalDevice*> devices;
        std::vector<ArenaNeed> needs;
        for (const Worker& worker : workers) {
            devices.push_back(&worker.local);
            needs.push_back(arenaNeed(worker.made));
        }
        admit ? admit(devices, needs) : void();
    }

    /// Called on the worker's own thread, so that its memory pages are local.
    void prepareOne(Worker& worker,
                    const std::function<std::vector<Program>(const LocalDevice&)>& make) {
        tried([&] { worker.made = make(worker.local); });
        {
            std::unique_lock lock(mutex);
            --making;
            done.notify_all();
            wake.wait(lock, [this] { return isJudged; });
        }
        if (!fault.isSet()) {
            tried([&] { allocate(worker); });
        }
        // Other workers may wait in a collective for this worker.
        fault.isSet() ? endMeetings() : void();
    }

    static int coresOf(const Worker& worker, std::size_t stream) {
        for (const BoundProgram& bound : worker.programs) {
            if (stream < bound.streams()) {
                return std::max(1, bound.program().streams[stream].cores);
            }
        }
        return 1;
    }

    void runStream(Worker& worker, BoundProgram& bound, std::size_t stream) {
        Stream* queue = worker.streams[stream].get();
        try {
            while (!fault.isSet()) {
                switch (bound.advance(stream, queue)) {
                case BoundProgram::Advance::finished: return;
                case BoundProgram::Advance::moved: break;
                case BoundProgram::Advance::blocked: bound.waitForProgress(stream, fault); break;
                }
            }
        } catch (...) {
            fault.set(std::current_exception());
        }
        bound.wakeAll();
    }

    struct Turn {
        std::size_t member = 0;
        std::int64_t begin = 0; ///< earliest start, by the streams' clocks
    };

    /// Waits for the run after `seen`. Returns none when the pool ends.
    std::optional<Turn> nextTurn(std::uint64_t& seen) {
        std::unique_lock lock(mutex);
        wake.wait(lock, [&] { return ends || generation != seen; });
        seen = generation;
        return ends ? std::nullopt : std::optional(Turn{member, runBegin});
    }

    void endTurn(std::int64_t now) {
        const std::scoped_lock lock(mutex);
        latest = std::max(latest, now);
        if (--running == 0) {
            done.notify_all();
        }
    }

    void streamLoop(Worker& worker, std::size_t stream) {
        std::unique_ptr<Stream>& own = worker.streams[stream];
        own = worker.local.device->makeStream(static_cast<int>(stream), coresOf(worker, stream));
        std::uint64_t seen = 0;
        while (const std::optional<Turn> turn = nextTurn(seen)) {
            BoundProgram& bound = worker.programs[turn->member];
            own->waitUntil(turn->begin);
            if (stream < bound.streams()) {
                runStream(worker, bound, stream);
            }
            endTurn(own->now());
        }
    }

    /// Drives all streams of an asynchronous device: this thread enqueues their steps.
    void driveLoop(Worker& worker) {
        tried([&] {
            for (std::size_t stream = 0; stream < worker.streams.size(); ++stream) {
                worker.streams[stream] = worker.local.device->makeStream(static_cast<int>(stream),
                                                                         coresOf(worker, stream));
            }
            for (BoundProgram& bound : worker.programs) {
                bound.createEventsOn(worker.streams);
            }
        });
        std::uint64_t seen = 0;
        while (const std::optional<Turn> turn = nextTurn(seen)) {
            BoundProgram& bound = worker.programs[turn->member];
            tried([&] {
                bound.captureOn(worker.streams);
                drive(worker, bound);
                awaitMeetings(bound);
            });
            // Otherwise queues would never end, here and on other ranks.
            fault.isSet() ? endMeetings() : void();
            finish(worker, bound);
            bound.wakeAll();
            endTurn(nowNanoseconds());
        }
    }

    /// Advances a stream. An asynchronous device reports errors late, so an error names the device
    /// and the step that noticed it.
    static BoundProgram::Advance advance(Worker& worker, BoundProgram& bound, std::size_t stream) {
        try {
            return bound.advance(stream, worker.streams[stream].get());
        } catch (const Error& error) {
            const int step = bound.currentStep(stream);
            if (error.code() != ErrorCode::device || step < 0) {
                throw;
            }
            const Step& at = bound.program().steps[static_cast<std::size_t>(step)];
            const char* const where =
                bound.isTimed() ? ", in this op or an earlier one: " : ", near this op: ";
            throw Error(error.code(), Where{.op = at.name},
                        worker.local.name + where + error.problem(), error.remedy());
        }
    }

    void drive(Worker& worker, BoundProgram& bound) const {
        for (bool all = false; !all && !fault.isSet();) {
            all = true;
            bool moved = false;
            for (std::size_t stream = 0; stream < bound.streams(); ++stream) {
                const auto state = advance(worker, bound, stream);
                moved = moved || state == BoundProgram::Advance::moved;
                all = all && state == BoundProgram::Advance::finished;
            }
            // Only a peer can continue this, since a stream that waits for another stream has that
            // one in this loop.
            for (std::size_t stream = 0; !moved && stream < bound.streams(); ++stream) {
                if (bound.isCommunicating(stream)) {
                    bound.waitForProgress(stream, fault);
                    break;
                }
            }
        }
    }

    /// Waits until peers complete the enqueued collectives. Unlike the waits for queues that
    /// follow, this wait can be aborted.
    void awaitMeetings(BoundProgram& bound) const {
        constexpr std::int64_t eager = 2'000'000;
        constexpr std::chrono::microseconds nap{50};
        const std::int64_t begin = nowNanoseconds();
        while (!fault.isSet() && !bound.haveCollectivesEnded()) {
            if (nowNanoseconds() - begin < eager) {
                std::this_thread::yield();
            } else {
                std::this_thread::sleep_for(nap);
            }
        }
    }

    /// Also called after a failure, because enqueued work uses the worker's memory.
    void finish(Worker& worker, BoundProgram& bound) {
        bool haveEnded = !fault.isSet();
        for (const auto& stream : worker.streams) {
            haveEnded = (stream == nullptr || tried([&] { stream->finish(); })) && haveEnded;
        }
        haveEnded ? bound.end() : void();
    }

    /// The first thread of a worker: prepares it and then runs its streams.
    void serve(Worker& worker,
               const std::function<std::vector<Program>(const LocalDevice&)>& make) {
        prepareOne(worker, make);
        bool wasPrepared = false;
        {
            std::unique_lock lock(mutex);
            --preparing;
            done.notify_all();
            wake.wait(lock, [this] { return streamsKnown; });
            wasPrepared = isPrepared;
        }
        // Not `fault`: the first run may already have failed elsewhere, and still counts on this
        // stream.
        if (wasPrepared && worker.local.device->isAsynchronous()) {
            driveLoop(worker);
        } else if (wasPrepared) {
            streamLoop(worker, 0);
        }
    }

    void startOtherStreams(Worker& worker) {
        worker.streams.resize(streamsOf(worker));
        const std::size_t streams =
            worker.local.device->isAsynchronous() ? 1 : worker.streams.size();
        for (std::size_t stream = 1; stream < streams && !fault.isSet(); ++stream) {
            start("stream " + std::to_string(stream) + " " + worker.local.name,
                  [this, &worker, stream] { streamLoop(worker, stream); });
        }
    }

    void makeUnboundStreams(Worker& worker) const {
        for (std::size_t stream = 0; stream < streamsOf(worker); ++stream) {
            worker.streams.push_back(
                worker.local.device->makeUnboundStream(static_cast<int>(stream)));
        }
        for (BoundProgram& bound : worker.programs) {
            bound.createEventsOn(worker.streams);
        }
    }

    /// Aborts communicators between devices, whose queues may wait for lost peers.
    void endMeetings() {
        for (Worker& worker : workers) {
            worker.communicator == nullptr ? void() : worker.communicator->abort();
        }
    }

    void wakeStreams() {
        endMeetings();
        for (Worker& worker : workers) {
            for (const BoundProgram& bound : worker.programs) {
                bound.wakeAll();
            }
        }
    }

    void runStepped(std::size_t index) {
        constexpr int patience = 1000;
        int idle = 0;
        for (Worker& worker : workers) {
            for (const auto& stream : worker.streams) {
                stream == nullptr ? void() : stream->waitUntil(latest);
            }
        }
        for (bool all = false; !all;) {
            all = true;
            bool moved = false;
            for (Worker& worker : workers) {
                BoundProgram& bound = worker.programs[index];
                for (std::size_t stream = 0; stream < bound.streams(); ++stream) {
                    const auto state = bound.advance(stream, worker.streams[stream].get());
                    moved = moved || state == BoundProgram::Advance::moved;
                    all = all && state == BoundProgram::Advance::finished;
                }
            }
            if (fault.isSet()) {
                break;
            }
            // A collective takes several rounds of polling, in which no stream finishes a step.
            idle = moved ? 0 : idle + 1;
            ensure(idle < patience, "a worker of a simulated communicator can continue");
        }
        for (Worker& worker : workers) {
            finish(worker, worker.programs[index]);
            for (const auto& stream : worker.streams) {
                latest = stream == nullptr ? latest : std::max(latest, stream->now());
            }
        }
    }
};

WorkerPool::WorkerPool(std::vector<LocalDevice> devices, Communicator* communicator, bool isStepped,
                       DeviceCommunicators meeting)
    : state_(std::make_unique<State>()) {
    state_->communicator = communicator;
    state_->isStepped = isStepped;
    state_->waiting = std::make_unique<WaitingBatch>(devices.size());
    for (LocalDevice& local : devices) {
        Worker& worker = state_->workers.emplace_back(Worker{.local = std::move(local)});
        const Backend* backend = worker.local.backend;
        if (communicator != nullptr && backend != nullptr && backend->space != MemorySpace::host) {
            worker.communicator = makeWorkerCommunicator(
                {worker.local.device.get(), &backend->kernels, communicator, meeting.limit},
                *backend, meeting.communicators);
        }
    }
}

WorkerPool::~WorkerPool() {
    {
        const std::scoped_lock lock(state_->mutex);
        state_->ends = true;
    }
    state_->wake.notify_all();
    for (std::jthread& thread : state_->threads) {
        thread.join();
    }
}

void WorkerPool::prepare(const std::function<std::vector<Program>(const LocalDevice&)>& make,
                         const Admit& admit) {
    if (state_->isStepped) {
        for (Worker& worker : state_->workers) {
            worker.made = make(worker.local);
        }
        state_->judge(admit);
        for (Worker& worker : state_->workers) {
            state_->allocate(worker);
            state_->makeUnboundStreams(worker);
        }
        return;
    }
    state_->making = state_->preparing = state_->workers.size();
    for (Worker& worker : state_->workers) {
        const bool isStarted =
            state_->start("stream 0 " + worker.local.name,
                          [this, &worker, &make] { state_->serve(worker, make); });
        if (!isStarted) {
            const std::scoped_lock lock(state_->mutex);
            --state_->making;
            --state_->preparing;
        }
    }
    std::unique_lock lock(state_->mutex);
    state_->done.wait(lock, [this] { return state_->making == 0; });
    lock.unlock();
    if (!state_->fault.isSet()) {
        state_->tried([&] { state_->judge(admit); });
    }
    lock.lock();
    state_->isJudged = true;
    state_->wake.notify_all();
    state_->done.wait(lock, [this] { return state_->preparing == 0; });
    for (Worker& worker : state_->workers) {
        state_->startOtherStreams(worker);
    }
    state_->streamsKnown = true;
    state_->isPrepared = !state_->fault.isSet();
    state_->wake.notify_all();
    lock.unlock();
    if (state_->fault.isSet()) {
        state_->fault.rethrow();
    }
}

void WorkerPool::run(std::size_t index, bool isTimed) {
    state_->isWhole = false;
    for (Worker& worker : state_->workers) {
        worker.programs[index].begin(isTimed);
    }
    state_->member = index;
    if (state_->isStepped) {
        state_->runStepped(index);
        state_->fault.rethrow();
        state_->isWhole = true;
        return;
    }
    std::unique_lock lock(state_->mutex);
    state_->runBegin = state_->latest;
    state_->running = state_->threads.size();
    ++state_->generation;
    state_->wake.notify_all();
    constexpr auto beat = std::chrono::milliseconds(100);
    while (!state_->done.wait_for(lock, beat, [&] { return state_->running == 0; })) {
        lock.unlock();
        if (state_->fault.isSet()) {
            state_->wakeStreams();
        }
        lock.lock();
    }
    lock.unlock();
    state_->fault.rethrow();
    state_->isWhole = true;
}

void WorkerPool::setCollectiveLimit(std::chrono::nanoseconds limit) {
    for (Worker& worker : state_->workers) {
        for (BoundProgram& bound : worker.programs) {
            bound.setCollectiveLimit(limit);
        }
    }
}

void WorkerPool::observe(std::size_t worker, std::size_t index, StepObserver* observer) {
    state_->workers[worker].programs[index].observe(observer);
}

std::vector<ActivityStream> WorkerPool::streams() const {
    std::vector<ActivityStream> streams;
    for (const Worker& worker : state_->workers) {
        for (std::size_t stream = 0; stream < streamsOf(worker); ++stream) {
            streams.push_back({worker.local.id, static_cast<std::uint32_t>(stream)});
        }
    }
    return streams;
}

void WorkerPool::recordPositionsIn(std::shared_ptr<ActivityPage> standing,
                                   const std::vector<std::vector<std::vector<NameIndex>>>& names) {
    std::span<StreamActivity> places = standing->places();
    if (places.empty()) {
        return;
    }
    state_->standing = std::move(standing);
    for (std::size_t w = 0; w < state_->workers.size(); ++w) {
        Worker& worker = state_->workers[w];
        const std::size_t count = streamsOf(worker);
        for (std::size_t m = 0; m < worker.programs.size(); ++m) {
            worker.programs[m].recordPositionsIn(names[w][m], places.first(count));
        }
        places = places.subspan(count);
    }
}

void WorkerPool::abort(std::exception_ptr why) {
    state_->fault.set(std::move(why));
    state_->wakeStreams();
}

std::size_t WorkerPool::size() const { return state_->workers.size(); }
const LocalDevice& WorkerPool::device(std::size_t worker) const {
    return state_->workers[worker].local;
}
std::size_t WorkerPool::variantCount() const {
    return state_->workers.empty() ? 0 : state_->workers.front().programs.size();
}
const BoundProgram& WorkerPool::program(std::size_t worker, std::size_t index) const {
    return state_->workers[worker].programs[index];
}

void WorkerPool::copyIn(std::size_t worker, std::size_t index, const Buffer& to, const void* from) {
    Worker& mine = state_->workers[worker];
    mine.local.device->copyIn(mine.programs[index].address(to), from, to.size);
}

WaitingBatch& WorkerPool::waitingBatch() const { return *state_->waiting; }

void WorkerPool::copyOut(std::size_t worker, std::size_t index, const Buffer& from,
                         void* to) const {
    const Worker& mine = state_->workers[worker];
    mine.local.device->copyOut(to, mine.programs[index].address(from), from.size);
}

void WorkerPool::copyOut(std::size_t worker, std::size_t index,
                         std::span<const std::pair<const Buffer*, void*>> all) const {
    const Worker& mine = state_->workers[worker];
    std::vector<Fetch> fetched;
    fetched.reserve(all.size());
    for (const auto& [from, to] : all) {
        fetched.push_back({to, mine.programs[index].address(*from), from->size});
    }
    mine.local.device->fetch(fetched);
}

void WorkerPool::writeSlot(std::size_t worker, std::size_t slot, const void* from) {
    const SlotBuffer& held = program(worker, 0).program().slots[slot];
    if (held.part.format.isPlain()) {
        copyIn(worker, 0, held.buffer, from);
        return;
    }
    std::vector<std::byte> formatted(static_cast<std::size_t>(held.buffer.size.count));
    intoFormat(held.part.format, held.part.shape, byteSize(held.part.dtype), from,
               formatted.data());
    copyIn(worker, 0, held.buffer, formatted.data());
}

void WorkerPool::readSlot(std::size_t worker, std::size_t slot, void* to) const {
    const SlotBuffer& held = program(worker, 0).program().slots[slot];
    if (held.part.format.isPlain()) {
        copyOut(worker, 0, held.buffer, to);
        return;
    }
    std::vector<std::byte> formatted(static_cast<std::size_t>(held.buffer.size.count));
    copyOut(worker, 0, held.buffer, formatted.data());
    outOfFormat(held.part.format, held.part.shape, byteSize(held.part.dtype), formatted.data(), to);
}

std::vector<StreamPosition> WorkerPool::streamPositions() const {
    std::vector<StreamPosition> positions;
    {
        const std::scoped_lock lock(state_->mutex);
        if (state_->running == 0) {
            return positions;
        }
    }
    const std::size_t index = state_->member;
    for (const Worker& worker : state_->workers) {
        const BoundProgram& bound = worker.programs[index];
        for (std::size_t stream = 0; stream < bound.streams(); ++stream) {
            const int step = bound.currentStep(stream);
            const Step* what =
                step < 0 ? nullptr : &bound.program().steps[static_cast<std::size_t>(step)];
            positions.push_back({worker.local.id, stream, step, bound.isCommunicating(stream),
                                 bound.currentStepStart(stream), what,
                                 bound.currentCollective(stream)});
        }
    }
    return positions;
}

bool WorkerPool::hasLastRunCompleted() const { return state_->isWhole; }

bool WorkerPool::hasTouchedSlots() const {
    return std::ranges::any_of(state_->workers, [&](const Worker& worker) {
        return worker.programs[state_->member].hasTouchedSlots();
    });
}

} // namespace weft
