// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs programs: kernels made and buffers resolved to addresses once, then only kernels, counters
// and waits. A stream is advanced by whoever has it: its own thread, or one thread that drives the
// streams of many workers in turn (the simulated communicator). Nothing is allocated and no string
// is built while a program runs.

#include "device/backend.h"
#include "events/recorder.h"
#include "events/standing.h"
#include "schedule/program.h"

#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// The first failure of a run wins; the others see `isSet` and leave.
class Fault {
public:
    void set(std::exception_ptr failure);
    [[nodiscard]] bool isSet() const { return isSet_.load(std::memory_order_acquire); }
    void rethrow();

private:
    std::atomic<bool> isSet_ = false;
    std::mutex mutex_;
    std::exception_ptr first_;
};

class BoundProgram;

/// Told of every step that has ended, on its stream's thread, before anything can write over what
/// the step made: the observed step. `step`: index into the program's steps.
class StepObserver {
public:
    virtual ~StepObserver() = default;
    virtual void made(const BoundProgram& program, std::uint32_t step) = 0;
};

/// A program with its kernels, its collectives and its arenas' addresses in place, and how far each
/// stream has come.
class BoundProgram {
public:
    enum class Advance : std::uint8_t { moved, blocked, finished };

    /// On the worker's own thread. No communicator is needed where nothing is collective.
    /// `staging`: of the size that `stagingOf` names (run/arena_need.h).
    BoundProgram(Program program, Communicator* communicator, void* slots, void* work,
                 void* staging = nullptr);
    ~BoundProgram();
    BoundProgram(BoundProgram&&) noexcept;
    BoundProgram& operator=(BoundProgram&&) = delete;

    [[nodiscard]] const Program& program() const;
    /// Marks for its steps and parts, where these streams leave them: once, before it is run on
    /// them.
    void markOn(std::span<const std::unique_ptr<Stream>> streams);
    /// After `begin`, where this run repeats parts that were not captured yet.
    void captureOn(std::span<const std::unique_ptr<Stream>> streams);
    /// A run that its streams have finished; its times, where they were left in events.
    void end();
    /// What its kernels call libraries for, as device/library_calls.h names it; by step.
    [[nodiscard]] std::vector<std::vector<std::string>> libraryCalls() const;
    /// In the order of the program's.
    [[nodiscard]] std::span<const std::unique_ptr<Collective>> collectives() const;
    [[nodiscard]] std::size_t streams() const;
    /// Before each run of the program, while no stream moves. A run whose times nobody asks for
    /// repeats what was captured, where that can be and the program has run before.
    void begin(bool isTimed = true);
    [[nodiscard]] bool isTimed() const;
    /// A collective that lasts longer throws Error{timeout} naming it and who had arrived.
    void setLimit(std::chrono::nanoseconds limit);
    /// nullptr: nobody; while no stream moves. The observer outlives the runs it sees.
    void observe(StepObserver* observer);
    /// Each step has a name, each stream a place to leave it in while it runs; while no stream
    /// moves. The places outlive the program.
    void standIn(std::span<const NameIndex> names, std::span<StandingPlace> places);
    /// One step of the stream, if it can start now; a collective is started and then asked. On a
    /// stream that runs its work later the step is then enqueued, behind what it waits for. Spans
    /// are of `queue`'s clock; without one of the host's.
    Advance advance(std::size_t stream, Stream* queue);
    /// Collectives that were started and stand in the streams' queues: false while one has yet to
    /// end there. Throws what has failed, and Error{timeout} where one lasts too long. While no
    /// stream moves.
    [[nodiscard]] bool haveMeetingsEnded();
    /// The step a stream stands at, of a part the first, by index into the program's steps; -1
    /// when it has finished. Any thread may ask.
    [[nodiscard]] int current(std::size_t stream) const;
    /// True while that step is a collective that has been started.
    [[nodiscard]] bool isCommunicating(std::size_t stream) const;
    /// When that step was started, by the host's clock; 0 while the stream waits for other streams.
    /// Any thread may ask.
    [[nodiscard]] std::int64_t since(std::size_t stream) const;
    /// The collective that stream has started and waits in; nullptr: none. Any thread may ask who
    /// has arrived there.
    [[nodiscard]] const Collective* waitingIn(std::size_t stream) const;
    /// True when a step that writes slots has been started since `begin`.
    [[nodiscard]] bool hasTouchedSlots() const;
    /// Times of the last run, in the order of the program's steps, or of its parts if it
    /// replayed them.
    [[nodiscard]] const std::vector<SpanTime>& timings() const;
    [[nodiscard]] void* address(const Buffer& buffer) const;
    /// Sleeps until the stream's counters move or the fault is set.
    void waitForProgress(std::size_t stream, const Fault& fault) const;
    void wakeAll() const;

private:
    /// True when all it waits for has ended or is enqueued; the stream then comes after it.
    bool mayStart(std::size_t stream, Stream* queue) const;
    /// The collective at which the stream stands, which may be asked again; true once it has met.
    bool hasMet(std::size_t stream, bool begins, Stream* queue);
    /// True when every other stream is in a step, and one of them computes.
    [[nodiscard]] bool areOthersBusy(std::size_t stream) const;
    void waitForPeers(std::size_t stream, const Fault& fault) const;
    [[noreturn]] void throwLate(std::uint32_t index, const Collective& collective) const;

    struct State;
    std::unique_ptr<State> state_;
};

} // namespace weft
