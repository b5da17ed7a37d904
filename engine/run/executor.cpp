// SPDX-License-Identifier: Apache-2.0
#include "run/executor.h"

#include "device/library_calls.h"
#include "run/arena_need.h"
#include "schedule/segments.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <thread>

namespace weft {

void Fault::set(std::exception_ptr failure) {
    const std::scoped_lock lock(mutex_);
    if (!first_) {
        first_ = std::move(failure);
        isSet_.store(true, std::memory_order_release);
    }
}

void Fault::rethrow() {
    const std::scoped_lock lock(mutex_);
    if (first_) {
        std::rethrow_exception(first_);
    }
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
    std::unique_ptr<Mark> began = {}; ///< none: its lane runs it at once
    std::unique_ptr<Mark> ended = {};
    std::uint32_t index = 0;  ///< in the program; of a segment that of its first
    SpanTime* time = nullptr; ///< of the last run
    bool writesSlots = false;
    NameIndex name = 0; ///< for those that look on from outside
};

/// Runs what was captured of a segment.
class Repetition final : public Kernel {
public:
    explicit Repetition(std::unique_ptr<Captured> captured) : captured_(std::move(captured)) {}
    void run(const KernelArguments& at) override { captured_->run(*at.lane); }

private:
    std::unique_ptr<Captured> captured_;
};

bool doesWriteSlots(const Step& step) {
    return std::ranges::any_of(step.outputs, [](const Buffer& out) {
        return out.arena == ArenaKind::slot && out.size.count > 0;
    });
}

std::int64_t nowOn(const Lane* queue) { return queue == nullptr ? nowNanoseconds() : queue->now(); }

/// On a cache line of its own: lanes of one worker write their counters all the time.
struct alignas(64) LaneProgress {
    std::atomic<std::uint32_t> done = 0;
    std::atomic<bool> communicates = false;
    std::atomic<std::int64_t> since = 0; ///< it came to its step, by the host's clock; 0: it waits
    std::vector<BoundStep> steps;
    StandingPlace* place = nullptr; ///< nullptr: nobody looks on
    std::int64_t eagerSince = 0; ///< its own thread's: since when it looks for peers all the time
    std::atomic<bool> sleeps = false;
    std::condition_variable wake;
};

} // namespace

struct BoundProgram::State {
    State(Program given, void* slotArena, void* workArena)
        : program(std::move(given)),
          slots(slotArena),
          work(workArena),
          plain(program.lanes.size()),
          repeating(program.lanes.size()),
          timings(program.steps.size()) {}

    Program program;
    std::vector<std::unique_ptr<Kernel>> kernels;         ///< of the program's choices
    std::vector<std::unique_ptr<Collective>> collectives; ///< of its collectives
    void* slots;
    void* work;
    std::vector<LaneProgress> plain;     ///< step by step
    std::vector<LaneProgress> repeating; ///< segment by segment, where they can be captured
    std::atomic<bool> repeats = false;   ///< this run is by segments
    bool hasRun = false;                 ///< step by step
    std::vector<Segment> segments = {};
    std::vector<std::unique_ptr<Kernel>> repetitions = {}; ///< by segment, once they are captured
    std::vector<SpanTime> timings;
    std::vector<SpanTime> segmentTimings = {}; ///< by segment
    StepObserver* observer = nullptr;
    std::int64_t limit =
        std::numeric_limits<std::int64_t>::max(); ///< nanoseconds a collective may last
    std::mutex mutex;
    std::condition_variable idled; ///< a lane has come to where it can but wait
    std::int64_t metSince = 0; ///< when the first meeting that has not ended was seen to have begun
    std::uint32_t meets = 0;   ///< which that is

    [[nodiscard]] std::vector<LaneProgress>& lanes() { return repeats ? repeating : plain; }
    [[nodiscard]] const std::vector<LaneProgress>& lanes() const {
        return repeats ? repeating : plain;
    }
    [[nodiscard]] BoundStep& stepAt(std::uint32_t index) {
        const Step& step = program.steps[index];
        return plain[step.lane].steps[step.position];
    }

    [[nodiscard]] bool isReady(const LaneProgress& lane) const {
        // In one order with what a lane says of its sleep: one of the two sees the other.
        const std::uint32_t position = lane.done.load(std::memory_order_relaxed);
        return position == lane.steps.size() ||
               std::ranges::all_of(lane.steps[position].waits, [&](const StepWait& wait) {
                   return lanes()[wait.lane].done.load() >= wait.count;
               });
    }

    void bindSegments() {
        segments = segmentsOf(program);
        segmentTimings.resize(segments.size());
        for (std::size_t s = 0; s < segments.size(); ++s) {
            const Segment& segment = segments[s];
            const BoundStep& first = stepAt(segment.steps.front());
            BoundStep bound{.inputs = {},
                            .outputs = {},
                            .waits = segment.waits,
                            .index = first.index,
                            .time = &segmentTimings[s]};
            if (segment.isSaidAnew) {
                bound.kernel = first.kernel;
                bound.collective = first.collective;
                bound.inputs = first.inputs;
                bound.outputs = first.outputs;
                bound.scratch = first.scratch;
                bound.staging = first.staging;
                bound.predicted = first.predicted;
            }
            bound.writesSlots = std::ranges::any_of(
                segment.steps, [this](std::uint32_t step) { return stepAt(step).writesSlots; });
            repeating[segment.lane].steps.push_back(std::move(bound));
        }
    }

    /// Its steps, each behind those of the segment that it waits for.
    void say(const Segment& segment, std::span<const std::unique_ptr<Lane>> queues) {
        Lane& origin = *queues[segment.lane];
        const std::unique_ptr<Mark> begin = origin.makeMark();
        origin.leave(*begin);
        std::vector<const BoundStep*> last(queues.size(), nullptr); // by lane
        std::vector<bool> isSaid(program.steps.size(), false);
        for (const std::uint32_t index : segment.steps) {
            const std::uint32_t lane = program.steps[index].lane;
            const BoundStep& step = stepAt(index);
            if (last[lane] == nullptr && lane != segment.lane) {
                queues[lane]->waitFor(*begin);
            }
            for (const StepWait& wait : step.waits) {
                const BoundStep& before = plain[wait.lane].steps[wait.count - 1];
                isSaid[before.index] ? queues[lane]->waitFor(*before.ended) : void();
            }
            step.kernel->run({step.inputs, step.outputs, step.scratch, queues[lane].get(),
                              step.predicted, step.staging});
            queues[lane]->leave(*step.ended);
            last[lane] = &step;
            isSaid[index] = true;
        }
        for (std::size_t lane = 0; lane < last.size(); ++lane) {
            last[lane] == nullptr || lane == segment.lane ? void()
                                                          : origin.waitFor(*last[lane]->ended);
        }
    }

    /// Wakes the sleeping lanes that can continue.
    void wakeReady() {
        for (LaneProgress& lane : lanes()) {
            if (lane.sleeps.load() && isReady(lane)) {
                const std::scoped_lock lock(mutex);
                lane.wake.notify_one();
            }
        }
    }
};

BoundProgram::BoundProgram(Program program, Communicator* communicator, void* slots, void* work, void* staging)
    : state_(std::make_unique<State>(std::move(program), slots, work)) {
    for (const CollectiveRequest& request : state_->program.collectives) {
        ensure(communicator != nullptr, "a program with collectives is run without a communicator");
        state_->collectives.push_back(communicator->prepare(request, state_->program.device));
    }
    for (const auto& choice : state_->program.choices) {
        state_->kernels.push_back(choice->make());
    }
    const auto addressOf = [&](const Buffer& buffer) {
        return buffer.size.count == 0 ? nullptr : address(buffer);
    };
    const LaneStaging staged = stagingOf(state_->program);
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
            bound.collective = state_->collectives[step.asks].get();
        } else {
            bound.kernel = state_->kernels[step.asks].get();
            bound.staging = staging == nullptr
                                ? nullptr
                                : static_cast<std::byte*>(staging) + staged.lanes[step.lane];
        }
        state_->plain[step.lane].steps.push_back(std::move(bound));
    }
    if (state_->program.isQueued) {
        state_->bindSegments();
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
std::size_t BoundProgram::lanes() const { return state_->plain.size(); }
const std::vector<SpanTime>& BoundProgram::timings() const {
    return state_->repeats ? state_->segmentTimings : state_->timings;
}

void* BoundProgram::address(const Buffer& buffer) const {
    auto* arena =
        static_cast<std::byte*>(buffer.arena == ArenaKind::slot ? state_->slots : state_->work);
    return arena + buffer.offset;
}

bool BoundProgram::isTimed() const { return !state_->repeats; }

void BoundProgram::begin(bool isTimed) {
    state_->repeats =
        !isTimed && state_->hasRun && state_->observer == nullptr && !state_->segments.empty();
    for (LaneProgress& lane : state_->lanes()) {
        lane.done.store(0, std::memory_order_relaxed);
        lane.communicates.store(false, std::memory_order_relaxed);
        lane.since.store(0, std::memory_order_relaxed);
    }
}

bool BoundProgram::mayStart(std::size_t lane, Lane* queue) const {
    const LaneProgress& mine = state_->lanes()[lane];
    const BoundStep& step = mine.steps[mine.done.load(std::memory_order_relaxed)];
    for (const StepWait& wait : step.waits) {
        if (state_->lanes()[wait.lane].done.load(std::memory_order_acquire) < wait.count) {
            return false;
        }
    }
    if (queue != nullptr) {
        for (const StepWait& wait : step.waits) {
            const BoundStep& last = state_->lanes()[wait.lane].steps[wait.count - 1];
            if (last.ended != nullptr) {
                queue->waitFor(*last.ended);
            } else {
                queue->waitUntil(last.time->end);
            }
        }
    }
    return true;
}

bool BoundProgram::hasMet(std::size_t lane, bool begins, Lane* queue) {
    LaneProgress& mine = state_->lanes()[lane];
    const BoundStep& step = mine.steps[mine.done.load(std::memory_order_relaxed)];
    SpanTime& timing = *step.time;
    if (begins) {
        mine.communicates.store(true, std::memory_order_release);
        step.collective->arrive(timing.begin, step.predicted);
        step.collective->start(step.inputs, step.outputs, queue);
    }
    // Who looks on waits for the lane, which must then not wait for a peer.
    if (!step.collective->hasFinished() ||
        (state_->observer != nullptr && !step.collective->hasEnded())) {
        if (nowNanoseconds() - mine.since.load(std::memory_order_relaxed) > state_->limit) {
            throwLate(step.index, *step.collective);
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

BoundProgram::Advance BoundProgram::advance(std::size_t lane, Lane* queue) {
    LaneProgress& mine = state_->lanes()[lane];
    const std::uint32_t position = mine.done.load(std::memory_order_relaxed);
    if (position == mine.steps.size()) {
        return Advance::finished;
    }
    BoundStep& step = mine.steps[position];
    SpanTime& timing = *step.time;
    const bool started = mine.communicates.load(std::memory_order_relaxed);
    if (!started) {
        if (!mayStart(lane, queue)) {
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
        if (!hasMet(lane, !started, queue)) {
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
        state_->observer->made(*this, step.index);
    }
    mine.since.store(0, std::memory_order_release);
    mine.done.store(position + 1);
    if (position + 1 == mine.steps.size() && mine.place != nullptr) {
        mine.place->leave();
    }
    if (state_->lanes().size() > 1) {
        state_->wakeReady();
        if (position + 1 == mine.steps.size()) {
            const std::scoped_lock lock(state_->mutex);
            state_->idled.notify_all();
        }
    }
    return Advance::moved;
}

bool BoundProgram::haveMeetingsEnded() {
    for (const LaneProgress& lane : state_->lanes()) {
        const std::uint32_t done = lane.done.load(std::memory_order_acquire);
        for (std::uint32_t k = 0; k < done; ++k) {
            const BoundStep& step = lane.steps[k];
            if (step.collective == nullptr || step.collective->hasEnded()) {
                continue;
            }
            const bool hasBegun = step.began == nullptr || step.began->hasEnded();
            const std::int64_t now = nowNanoseconds();
            if (!hasBegun || state_->metSince == 0 || state_->meets != step.index) {
                state_->metSince = hasBegun ? now : 0;
                state_->meets = step.index;
            } else if (now - state_->metSince > state_->limit) {
                throwLate(step.index, *step.collective);
            }
            return false;
        }
    }
    state_->metSince = 0;
    return true;
}

void BoundProgram::markOn(std::span<const std::unique_ptr<Lane>> lanes) {
    for (std::size_t k = 0; k < state_->plain.size(); ++k) {
        for (BoundStep& step : state_->plain[k].steps) {
            step.began = lanes[k] == nullptr ? nullptr : lanes[k]->makeMark();
            step.ended = lanes[k] == nullptr ? nullptr : lanes[k]->makeMark();
        }
        for (BoundStep& segment : state_->repeating[k].steps) {
            segment.began = lanes[k]->makeMark();
            segment.ended = lanes[k]->makeMark();
        }
    }
}

void BoundProgram::captureOn(std::span<const std::unique_ptr<Lane>> lanes) {
    if (!state_->repeats || !state_->repetitions.empty()) {
        return;
    }
    std::vector<std::size_t> taken(lanes.size(), 0);
    for (const Segment& segment : state_->segments) {
        BoundStep& bound = state_->repeating[segment.lane].steps[taken[segment.lane]++];
        if (!segment.isSaidAnew) {
            state_->repetitions.push_back(std::make_unique<Repetition>(
                lanes[segment.lane]->capture([&] { state_->say(segment, lanes); })));
            bound.kernel = state_->repetitions.back().get();
        }
    }
}

void BoundProgram::end() {
    state_->hasRun = true;
    for (const LaneProgress& lane : state_->lanes()) {
        for (const BoundStep& step : lane.steps) {
            if (step.ended != nullptr) {
                step.time->begin = step.began->time();
                step.time->end = step.ended->time();
            }
        }
    }
}

void BoundProgram::standIn(std::span<const NameIndex> names, std::span<StandingPlace> places) {
    for (std::vector<LaneProgress>* const lanes : {&state_->plain, &state_->repeating}) {
        for (std::size_t k = 0; k < std::min(places.size(), lanes->size()); ++k) {
            (*lanes)[k].place = &places[k];
            for (BoundStep& step : (*lanes)[k].steps) {
                step.name = names[step.index];
            }
        }
    }
}

void BoundProgram::observe(StepObserver* observer) { state_->observer = observer; }

void BoundProgram::setLimit(std::chrono::nanoseconds limit) { state_->limit = limit.count(); }

void BoundProgram::throwLate(std::uint32_t index, const Collective& collective) const {
    const Program& program = state_->program;
    const Step& step = program.steps[index];
    std::string there;
    for (const DeviceId device : collective.arrived()) {
        there += (there.empty() ? "" : ", ") + program.plan->devices[device.value];
    }
    throw Error(ErrorCode::timeout,
                Where{.layer = program.plan->graph->layerName(step.origin), .op = step.name},
                fmt::format("{} has waited {} s here; arrived: {}",
                            program.plan->devices[program.device.value],
                            state_->limit / 1'000'000'000, there),
                "see why the others stopped; weft resume goes on from the last checkpoint");
}

int BoundProgram::current(std::size_t lane) const {
    const LaneProgress& mine = state_->lanes()[lane];
    const std::uint32_t position = mine.done.load(std::memory_order_acquire);
    return position == mine.steps.size() ? -1 : static_cast<int>(mine.steps[position].index);
}

bool BoundProgram::isCommunicating(std::size_t lane) const {
    return state_->lanes()[lane].communicates.load(std::memory_order_acquire);
}

std::int64_t BoundProgram::since(std::size_t lane) const {
    return state_->lanes()[lane].since.load(std::memory_order_acquire);
}

const Collective* BoundProgram::waitingIn(std::size_t lane) const {
    const LaneProgress& mine = state_->lanes()[lane];
    const std::uint32_t position = mine.done.load(std::memory_order_acquire);
    return isCommunicating(lane) && position < mine.steps.size() ? mine.steps[position].collective
                                                                 : nullptr;
}

bool BoundProgram::hasTouchedSlots() const {
    return std::ranges::any_of(state_->lanes(), [](const LaneProgress& lane) {
        std::size_t begun = lane.done.load(std::memory_order_acquire);
        begun += lane.since.load(std::memory_order_acquire) != 0 ? 1 : 0;
        begun = std::min(begun, lane.steps.size());
        return std::ranges::any_of(lane.steps.begin(),
                                   lane.steps.begin() + static_cast<std::ptrdiff_t>(begun),
                                   &BoundStep::writesSlots);
    });
}

bool BoundProgram::areOthersBusy(std::size_t lane) const {
    bool computes = false;
    for (std::size_t other = 0; other < lanes(); ++other) {
        const LaneProgress& its = state_->lanes()[other];
        if (other == lane) {
            continue;
        }
        if (its.since.load(std::memory_order_acquire) == 0) {
            return false;
        }
        computes = computes || !its.communicates.load(std::memory_order_acquire);
    }
    return computes;
}

void BoundProgram::waitForPeers(std::size_t lane, const Fault& fault) const {
    // Peers move a collective, and nothing tells. While the worker's other lanes compute, a look
    // now and then leaves them the cores; once a lane has nothing else to do, one look follows the
    // other, for the time by which peers may differ, and then naps do, since the core may be
    // theirs.
    constexpr auto calm = std::chrono::milliseconds(1);
    constexpr std::int64_t eager = 2'000'000;
    constexpr auto nap = std::chrono::microseconds(50);
    LaneProgress& mine = state_->lanes()[lane];
    if (areOthersBusy(lane)) {
        mine.eagerSince = 0;
        std::unique_lock lock(state_->mutex);
        state_->idled.wait_for(lock, calm, [&] { return !areOthersBusy(lane) || fault.isSet(); });
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

void BoundProgram::waitForProgress(std::size_t lane, const Fault& fault) const {
    if (isCommunicating(lane)) {
        waitForPeers(lane, fault);
        return;
    }
    // The limit only bounds what an unforeseen loss of a wake-up would cost.
    constexpr auto limit = std::chrono::milliseconds(5);
    LaneProgress& mine = state_->lanes()[lane];
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
    for (LaneProgress& lane : state_->lanes()) {
        lane.wake.notify_all();
    }
}

} // namespace weft
