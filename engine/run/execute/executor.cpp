// SPDX-License-Identifier: Apache-2.0
#include "run/execute/executor.h"

#include "comm/staged/staged_communicator.h"
#include "device/library_calls.h"
#include "schedule/feeds_ahead.h"
#include "schedule/program_parts.h"
#include <weft/error.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <thread>

namespace weft {

void FirstFailure::set(std::exception_ptr failure) {
    const std::scoped_lock lock(mutex_);
    if (!first_) {
        first_ = std::move(failure);
        isSet_.store(true, std::memory_order_release);
    }
}

void FirstFailure::rethrow() {
    const std::scoped_lock lock(mutex_);
    if (first_) {
        std::rethrow_exception(first_);
    }
}

StreamStaging stagingOf(const Program& program) {
    std::vector<Bytes> most(program.streams.size());
    for (const Step& step : program.steps) {
        if (step.kind != StepKind::collective) {
            most[step.stream] =
                std::max(most[step.stream], program.choices[step.kernelOrCollective]->staging);
        }
    }
    constexpr std::int64_t page = 4096; // separate pages, since streams write concurrently
    StreamStaging layout;
    for (const Bytes size : most) {
        layout.streams.push_back(layout.size.count);
        layout.size.count += (size.count + page - 1) / page * page;
    }
    return layout;
}

void ArenaNeed::growFor(const Program& program) {
    slots = std::max(slots, program.slotSize);
    work = std::max(work, program.workSize);
    ahead = std::max(ahead, prefetchBytes(program));
    staging = std::max(staging, stagingOf(program).size);
    for (const CollectiveRequest& request : program.collectives) {
        collectiveStaging = std::max(collectiveStaging, stagedBytes(request, program.device));
    }
}

ArenaNeed arenaNeed(std::span<const Program> programs) {
    ArenaNeed need{.slots = {1}, .work = {1}}; // so that each arena has an address
    for (const Program& program : programs) {
        need.growFor(program);
    }
    return need;
}

Arrivals arrivalsAt(const Collective& collective, const Plan& plan) {
    Arrivals names;
    const std::vector<DeviceId> arrived = collective.arrived();
    for (const DeviceId device : arrived) {
        names.arrived.push_back(plan.devices[device.value]);
    }
    for (const DeviceId device : collective.members()) {
        if (std::ranges::find(arrived, device) == arrived.end()) {
            names.missing.push_back(plan.devices[device.value]);
        }
    }
    return names;
}

namespace {

struct BoundStep {
    Kernel* kernel = nullptr;
    Collective* collective = nullptr;
    std::vector<const void*> inputs;
    std::vector<void*> outputs;
    void* scratch = nullptr;
    void* staging = nullptr;
    std::vector<StepWait> waits;
    Nanoseconds predicted = {};
    std::unique_ptr<DeviceEvent> began = {}; ///< nullptr: its stream executes it immediately
    std::unique_ptr<DeviceEvent> ended = {};
    std::uint32_t index = 0;  ///< in the program; for a part the index of its first step
    SpanTime* time = nullptr; ///< times of the last run
    bool writesSlots = false;
    NameIndex name = 0; ///< for observers from outside
};

/// Replays the captured graph of a part.
class Repetition final : public Kernel {
public:
    explicit Repetition(std::unique_ptr<CapturedGraph> captured) : captured_(std::move(captured)) {}
    void run(const KernelArguments& arguments) override { captured_->run(*arguments.stream); }

private:
    std::unique_ptr<CapturedGraph> captured_;
};

bool doesWriteSlots(const Step& step) {
    return std::ranges::any_of(step.outputs, [](const Buffer& out) {
        return out.arena == ArenaKind::slot && out.size.count > 0;
    });
}

std::int64_t nowOn(const Stream* queue) {
    return queue == nullptr ? nowNanoseconds() : queue->now();
}

/// Has a cache line of its own, because the streams of one worker update their counters all the
/// time.
struct alignas(64) StreamProgress {
    std::atomic<std::uint32_t> done = 0;
    std::atomic<bool> communicates = false;
    /// When the stream reached its step, by the host's clock; 0: waiting.
    std::atomic<std::int64_t> since = 0;
    std::vector<BoundStep> steps;
    StreamActivity* place = nullptr; ///< nullptr: no observer
    /// Used only by the stream's own thread: since when it polls for peers without pause.
    std::int64_t eagerSince = 0;
    std::atomic<bool> sleeps = false;
    std::condition_variable wake;
};

} // namespace

struct BoundProgram::State {
    State(Program given, void* slotArena, void* workArena)
        : program(std::move(given)),
          slots(slotArena),
          work(workArena),
          plain(program.streams.size()),
          repeating(program.streams.size()),
          timings(program.steps.size()) {}

    Program program;
    std::vector<std::unique_ptr<Kernel>> kernels;
    std::vector<std::unique_ptr<Collective>> collectives;
    void* slots;
    void* work;
    std::vector<StreamProgress> plain;     ///< for runs step by step
    std::vector<StreamProgress> repeating; ///< for runs that replay parts
    std::atomic<bool> repeats = false;     ///< this run replays parts
    bool hasRun = false;                   ///< a run has completed
    std::vector<ProgramPart> parts = {};
    std::vector<std::unique_ptr<Kernel>> repetitions = {}; ///< per part, once captured
    std::vector<SpanTime> timings;
    std::vector<SpanTime> partTimings = {}; ///< per part
    StepObserver* observer = nullptr;
    std::int64_t limit =
        std::numeric_limits<std::int64_t>::max(); ///< nanoseconds a collective may take
    std::mutex mutex;
    std::condition_variable idled; ///< notified when a stream has nothing left to do but wait
    std::int64_t metSince = 0;     ///< when the first unfinished collective was seen to have begun
    std::uint32_t meets = 0;       ///< step of the first unfinished collective

    [[nodiscard]] std::vector<StreamProgress>& streams() { return repeats ? repeating : plain; }
    [[nodiscard]] const std::vector<StreamProgress>& streams() const {
        return repeats ? repeating : plain;
    }
    [[nodiscard]] BoundStep& stepAt(std::uint32_t index) {
        const Step& step = program.steps[index];
        return plain[step.stream].steps[step.position];
    }

    [[nodiscard]] bool isReady(const StreamProgress& stream) const {
        // Sequentially consistent with a stream's announcement that it sleeps, so that one of the
        // two threads sees the other.
        const std::uint32_t position = stream.done.load(std::memory_order_relaxed);
        return position == stream.steps.size() ||
               std::ranges::all_of(stream.steps[position].waits, [&](const StepWait& wait) {
                   return streams()[wait.stream].done.load() >= wait.count;
               });
    }

    void bindParts() {
        parts = partsOf(program);
        partTimings.resize(parts.size());
        for (std::size_t s = 0; s < parts.size(); ++s) {
            const ProgramPart& part = parts[s];
            const BoundStep& first = stepAt(part.steps.front());
            BoundStep bound{.inputs = {},
                            .outputs = {},
                            .waits = part.waits,
                            .index = first.index,
                            .time = &partTimings[s]};
            if (!part.isCapturable) {
                bound.kernel = first.kernel;
                bound.collective = first.collective;
                bound.inputs = first.inputs;
                bound.outputs = first.outputs;
                bound.scratch = first.scratch;
                bound.staging = first.staging;
                bound.predicted = first.predicted;
            }
            bound.writesSlots = std::ranges::any_of(
                part.steps, [this](std::uint32_t step) { return stepAt(step).writesSlots; });
            repeating[part.stream].steps.push_back(std::move(bound));
        }
    }

    /// Enqueues the steps of a part, each behind the steps of the part that it waits for.
    void say(const ProgramPart& part, std::span<const std::unique_ptr<Stream>> queues) {
        Stream& origin = *queues[part.stream];
        const std::unique_ptr<DeviceEvent> begin = origin.makeEvent();
        origin.leave(*begin);
        std::vector<const BoundStep*> last(queues.size(), nullptr); // per stream
        std::vector<bool> isSaid(program.steps.size(), false);
        for (const std::uint32_t index : part.steps) {
            const std::uint32_t stream = program.steps[index].stream;
            const BoundStep& step = stepAt(index);
            if (last[stream] == nullptr && stream != part.stream) {
                queues[stream]->waitFor(*begin);
            }
            for (const StepWait& wait : step.waits) {
                const BoundStep& before = plain[wait.stream].steps[wait.count - 1];
                isSaid[before.index] ? queues[stream]->waitFor(*before.ended) : void();
            }
            step.kernel->run({step.inputs, step.outputs, step.scratch, queues[stream].get(),
                              step.predicted, step.staging});
            queues[stream]->leave(*step.ended);
            last[stream] = &step;
            isSaid[index] = true;
        }
        for (std::size_t stream = 0; stream < last.size(); ++stream) {
            last[stream] == nullptr || stream == part.stream ? void()
                                                             : origin.waitFor(*last[stream]->ended);
        }
    }

    /// Wakes the sleeping streams that can continue.
    void wakeReady() {
        for (StreamProgress& stream : streams()) {
            if (stream.sleeps.load() && isReady(stream)) {
                const std::scoped_lock lock(mutex);
                stream.wake.notify_one();
            }
        }
    }
};

BoundProgram::BoundProgram(Program program, Communicator* communicator, void* slots, void* work,
                           void* staging)
    : state_(std::make_unique<State>(std::move(program), slots, work)) {
    for (const CollectiveRequest& request : state_->program.collectives) {
        ensure(communicator != nullptr, "a program with collectives has a communicator");
        state_->collectives.push_back(communicator->prepare(request, state_->program.device));
    }
    for (const auto& choice : state_->program.choices) {
        state_->kernels.push_back(choice->make());
    }
    const auto addressOf = [&](const Buffer& buffer) {
        return buffer.size.count == 0 ? nullptr : address(buffer);
    };
    const StreamStaging staged = stagingOf(state_->program);
    ensure(staging != nullptr || staged.size.count == 0, "what the host computes has its memory");
    for (std::uint32_t k = 0; k < state_->program.steps.size(); ++k) {
        const Step& step = state_->program.steps[k];
        BoundStep bound{.inputs = {},
                        .outputs = {},
                        .waits = step.waits,
                        .predicted = step.predicted,
                        .index = k,
                        .time = &state_->timings[k],
                        .writesSlots = doesWriteSlots(step)};
        std::ranges::transform(step.inputs, std::back_inserter(bound.inputs), addressOf);
        std::ranges::transform(step.outputs, std::back_inserter(bound.outputs), addressOf);
        bound.scratch = addressOf(step.scratch);
        if (step.kind == StepKind::collective) {
            bound.collective = state_->collectives[step.kernelOrCollective].get();
        } else {
            bound.kernel = state_->kernels[step.kernelOrCollective].get();
            bound.staging = staging == nullptr
                                ? nullptr
                                : static_cast<std::byte*>(staging) + staged.streams[step.stream];
        }
        state_->plain[step.stream].steps.push_back(std::move(bound));
    }
    if (state_->program.isAsynchronous) {
        state_->bindParts();
    }
}

BoundProgram::~BoundProgram() = default;
BoundProgram::BoundProgram(BoundProgram&&) noexcept = default;

const Program& BoundProgram::program() const { return state_->program; }
std::vector<std::vector<std::string>> BoundProgram::libraryCalls() const {
    std::vector<std::vector<std::string>> calls(state_->program.steps.size());
    for (std::uint32_t k = 0; k < calls.size(); ++k) {
        const Kernel* const kernel = state_->stepAt(k).kernel;
        calls[k] = kernel == nullptr ? std::vector<std::string>{} : libraryCallsOf(*kernel);
    }
    return calls;
}

std::span<const std::unique_ptr<Collective>> BoundProgram::collectives() const {
    return state_->collectives;
}
std::size_t BoundProgram::streams() const { return state_->plain.size(); }
const std::vector<SpanTime>& BoundProgram::timings() const {
    return state_->repeats ? state_->partTimings : state_->timings;
}

void* BoundProgram::address(const Buffer& buffer) const {
    auto* arena =
        static_cast<std::byte*>(buffer.arena == ArenaKind::slot ? state_->slots : state_->work);
    return arena + buffer.offset;
}

bool BoundProgram::isTimed() const { return !state_->repeats; }

void BoundProgram::begin(bool isTimed) {
    state_->repeats =
        !isTimed && state_->hasRun && state_->observer == nullptr && !state_->parts.empty();
    for (StreamProgress& stream : state_->streams()) {
        stream.done.store(0, std::memory_order_relaxed);
        stream.communicates.store(false, std::memory_order_relaxed);
        stream.since.store(0, std::memory_order_relaxed);
    }
}

bool BoundProgram::mayStart(std::size_t stream, Stream* queue) const {
    const StreamProgress& mine = state_->streams()[stream];
    const BoundStep& step = mine.steps[mine.done.load(std::memory_order_relaxed)];
    for (const StepWait& wait : step.waits) {
        if (state_->streams()[wait.stream].done.load(std::memory_order_acquire) < wait.count) {
            return false;
        }
    }
    if (queue != nullptr) {
        for (const StepWait& wait : step.waits) {
            const BoundStep& last = state_->streams()[wait.stream].steps[wait.count - 1];
            if (last.ended != nullptr) {
                queue->waitFor(*last.ended);
            } else {
                queue->waitUntil(last.time->end);
            }
        }
    }
    return true;
}

bool BoundProgram::pollCollective(std::size_t stream, bool begins, Stream* queue) {
    StreamProgress& mine = state_->streams()[stream];
    const BoundStep& step = mine.steps[mine.done.load(std::memory_order_relaxed)];
    SpanTime& timing = *step.time;
    if (begins) {
        mine.communicates.store(true, std::memory_order_release);
        step.collective->arrive(timing.begin, step.predicted);
        step.collective->start(step.inputs, step.outputs, queue);
    }
    // An observer waits for the stream, so the stream must not be waiting for a peer.
    if (!step.collective->hasFinished() ||
        (state_->observer != nullptr && !step.collective->hasEnded())) {
        if (nowNanoseconds() - mine.since.load(std::memory_order_relaxed) > state_->limit) {
            throwTimeout(step.index, *step.collective);
        }
        return false;
    }
    if (queue != nullptr) {
        queue->waitUntil(step.collective->ended());
    }
    timing.met = step.collective->met();
    mine.communicates.store(false, std::memory_order_release);
    return true;
}

BoundProgram::Advance BoundProgram::advance(std::size_t stream, Stream* queue) {
    StreamProgress& mine = state_->streams()[stream];
    const std::uint32_t position = mine.done.load(std::memory_order_relaxed);
    if (position == mine.steps.size()) {
        return Advance::finished;
    }
    BoundStep& step = mine.steps[position];
    SpanTime& timing = *step.time;
    const bool started = mine.communicates.load(std::memory_order_relaxed);
    if (!started) {
        if (!mayStart(stream, queue)) {
            mine.place == nullptr ? void() : mine.place->leave();
            return Advance::blocked;
        }
        timing.begin = nowOn(queue);
        step.began == nullptr ? void() : queue->leave(*step.began);
        const bool isHosts = queue == nullptr || queue->isSynchronous();
        const std::int64_t now = isHosts ? timing.begin : nowNanoseconds();
        mine.since.store(now, std::memory_order_release);
        mine.place == nullptr ? void() : mine.place->enter(step.name, now);
    }
    if (step.collective != nullptr) {
        if (!pollCollective(stream, !started, queue)) {
            return Advance::blocked;
        }
    } else {
        step.kernel->run(
            {step.inputs, step.outputs, step.scratch, queue, step.predicted, step.staging});
    }
    timing.end = nowOn(queue);
    step.ended == nullptr ? void() : queue->leave(*step.ended);
    if (state_->observer != nullptr) {
        queue == nullptr ? void() : queue->finish();
        state_->observer->onStepDone(*this, step.index);
    }
    mine.since.store(0, std::memory_order_release);
    mine.done.store(position + 1);
    if (position + 1 == mine.steps.size() && mine.place != nullptr) {
        mine.place->leave();
    }
    if (state_->streams().size() > 1) {
        state_->wakeReady();
        if (position + 1 == mine.steps.size()) {
            const std::scoped_lock lock(state_->mutex);
            state_->idled.notify_all();
        }
    }
    return Advance::moved;
}

bool BoundProgram::haveCollectivesEnded() {
    for (const StreamProgress& stream : state_->streams()) {
        const std::uint32_t done = stream.done.load(std::memory_order_acquire);
        for (std::uint32_t k = 0; k < done; ++k) {
            const BoundStep& step = stream.steps[k];
            if (step.collective == nullptr || step.collective->hasEnded()) {
                continue;
            }
            const bool hasBegun = step.began == nullptr || step.began->hasEnded();
            const std::int64_t now = nowNanoseconds();
            if (!hasBegun || state_->metSince == 0 || state_->meets != step.index) {
                state_->metSince = hasBegun ? now : 0;
                state_->meets = step.index;
            } else if (now - state_->metSince > state_->limit) {
                throwTimeout(step.index, *step.collective);
            }
            return false;
        }
    }
    state_->metSince = 0;
    return true;
}

void BoundProgram::createEventsOn(std::span<const std::unique_ptr<Stream>> streams) {
    for (std::size_t k = 0; k < state_->plain.size(); ++k) {
        for (BoundStep& step : state_->plain[k].steps) {
            step.began = streams[k] == nullptr ? nullptr : streams[k]->makeEvent();
            step.ended = streams[k] == nullptr ? nullptr : streams[k]->makeEvent();
        }
        for (BoundStep& part : state_->repeating[k].steps) {
            part.began = streams[k]->makeEvent();
            part.ended = streams[k]->makeEvent();
        }
    }
}

void BoundProgram::captureOn(std::span<const std::unique_ptr<Stream>> streams) {
    if (!state_->repeats || !state_->repetitions.empty()) {
        return;
    }
    std::vector<std::size_t> taken(streams.size(), 0);
    for (const ProgramPart& part : state_->parts) {
        BoundStep& bound = state_->repeating[part.stream].steps[taken[part.stream]++];
        if (part.isCapturable) {
            state_->repetitions.push_back(std::make_unique<Repetition>(
                streams[part.stream]->capture([&] { state_->say(part, streams); })));
            bound.kernel = state_->repetitions.back().get();
        }
    }
}

void BoundProgram::end() {
    state_->hasRun = true;
    for (const StreamProgress& stream : state_->streams()) {
        for (const BoundStep& step : stream.steps) {
            if (step.ended != nullptr) {
                step.time->begin = step.began->time();
                step.time->end = step.ended->time();
            }
        }
    }
}

void BoundProgram::recordPositionsIn(std::span<const NameIndex> names,
                                     std::span<StreamActivity> places) {
    for (std::vector<StreamProgress>* const streams : {&state_->plain, &state_->repeating}) {
        for (std::size_t k = 0; k < std::min(places.size(), streams->size()); ++k) {
            (*streams)[k].place = &places[k];
            for (BoundStep& step : (*streams)[k].steps) {
                step.name = names[step.index];
            }
        }
    }
}

void BoundProgram::observe(StepObserver* observer) { state_->observer = observer; }

void BoundProgram::setCollectiveLimit(std::chrono::nanoseconds limit) {
    state_->limit = limit.count();
}

void BoundProgram::throwTimeout(std::uint32_t index, const Collective& collective) const {
    const Program& program = state_->program;
    const Step& step = program.steps[index];
    const Arrivals names = arrivalsAt(collective, *program.plan);
    throw Error(ErrorCode::timeout,
                Where{.layer = program.plan->graph->layerName(step.origin), .op = step.name},
                fmt::format("{} has waited {} s in this collective; arrived: {}; missing: {}",
                            program.plan->devices[program.device.value],
                            state_->limit / 1'000'000'000, fmt::join(names.arrived, ", "),
                            fmt::join(names.missing, ", ")),
                "see why the others stopped; weft resume continues from the last checkpoint");
}

int BoundProgram::currentStep(std::size_t stream) const {
    const StreamProgress& mine = state_->streams()[stream];
    const std::uint32_t position = mine.done.load(std::memory_order_acquire);
    return position == mine.steps.size() ? -1 : static_cast<int>(mine.steps[position].index);
}

bool BoundProgram::isCommunicating(std::size_t stream) const {
    return state_->streams()[stream].communicates.load(std::memory_order_acquire);
}

std::int64_t BoundProgram::currentStepStart(std::size_t stream) const {
    return state_->streams()[stream].since.load(std::memory_order_acquire);
}

const Collective* BoundProgram::currentCollective(std::size_t stream) const {
    const StreamProgress& mine = state_->streams()[stream];
    const std::uint32_t position = mine.done.load(std::memory_order_acquire);
    return isCommunicating(stream) && position < mine.steps.size() ? mine.steps[position].collective
                                                                   : nullptr;
}

bool BoundProgram::hasTouchedSlots() const {
    return std::ranges::any_of(state_->streams(), [](const StreamProgress& stream) {
        std::size_t begun = stream.done.load(std::memory_order_acquire);
        begun += stream.since.load(std::memory_order_acquire) != 0 ? 1 : 0;
        begun = std::min(begun, stream.steps.size());
        return std::ranges::any_of(stream.steps.begin(),
                                   stream.steps.begin() + static_cast<std::ptrdiff_t>(begun),
                                   &BoundStep::writesSlots);
    });
}

bool BoundProgram::areOthersBusy(std::size_t stream) const {
    bool computes = false;
    for (std::size_t other = 0; other < streams(); ++other) {
        const StreamProgress& its = state_->streams()[other];
        if (other == stream) {
            continue;
        }
        if (its.since.load(std::memory_order_acquire) == 0) {
            return false;
        }
        computes = computes || !its.communicates.load(std::memory_order_acquire);
    }
    return computes;
}

void BoundProgram::waitForPeers(std::size_t stream, const FirstFailure& fault) const {
    // A peer's progress on a collective gives no notification, so this polls. While other streams
    // of the worker compute, rare polls leave them the cores. Otherwise the stream first polls
    // without pause, for the time that peers typically differ by, and then sleeps between polls,
    // since peers may need the core.
    constexpr auto calm = std::chrono::milliseconds(1);
    constexpr std::int64_t eager = 2'000'000;
    constexpr auto nap = std::chrono::microseconds(50);
    StreamProgress& mine = state_->streams()[stream];
    if (areOthersBusy(stream)) {
        mine.eagerSince = 0;
        std::unique_lock lock(state_->mutex);
        state_->idled.wait_for(lock, calm, [&] { return !areOthersBusy(stream) || fault.isSet(); });
        return;
    }
    const std::int64_t now = nowNanoseconds();
    if (mine.eagerSince < mine.since.load(std::memory_order_relaxed)) {
        mine.eagerSince = now;
    }
    if (now - mine.eagerSince < eager) {
        std::this_thread::yield();
    } else {
        std::this_thread::sleep_for(nap);
    }
}

void BoundProgram::waitForProgress(std::size_t stream, const FirstFailure& fault) const {
    if (isCommunicating(stream)) {
        waitForPeers(stream, fault);
        return;
    }
    // The time limit only bounds the cost of a lost wake-up.
    constexpr auto limit = std::chrono::milliseconds(5);
    StreamProgress& mine = state_->streams()[stream];
    mine.sleeps.store(true);
    {
        std::unique_lock lock(state_->mutex);
        state_->idled.notify_all();
        mine.wake.wait_for(lock, limit, [&] { return state_->isReady(mine) || fault.isSet(); });
    }
    mine.sleeps.store(false);
}

void BoundProgram::wakeAll() const {
    const std::scoped_lock lock(state_->mutex);
    state_->idled.notify_all();
    for (StreamProgress& stream : state_->streams()) {
        stream.wake.notify_all();
    }
}

} // namespace weft
