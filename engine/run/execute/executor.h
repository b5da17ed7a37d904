// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs programs. Kernels are made and buffers are resolved to addresses once; running is only
// kernels, counters and waits. A stream is advanced by its own thread, or by one thread that
// advances the streams of many workers in turn (simulated communicator). Running a program
// allocates nothing and builds no strings.

#include "device/backend.h"
#include "device/communicator.h"
#include "events/activity_page.h"
#include "events/recorder.h"
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

/// Keeps the first failure of a run. The other streams see `isSet` and stop.
class FirstFailure {
public:
    void set(std::exception_ptr failure);
    [[nodiscard]] bool isSet() const { return isSet_.load(std::memory_order_acquire); }
    void rethrow();

private:
    std::atomic<bool> isSet_ = false;
    std::mutex mutex_;
    std::exception_ptr first_;
};

/// Pinned memory for ops that the host computes for a device (device/staged.h). Such steps of one
/// stream run one after another and share their memory.
struct StreamStaging {
    std::vector<std::int64_t> streams; ///< offset of each stream's part
    Bytes size = {};
};
[[nodiscard]] StreamStaging stagingOf(const Program& program);

/// The memory that a device gives to all programs of a set (they share one arena of each kind), and
/// the host memory that this device needs.
struct ArenaNeed {
    Bytes slots = {};             ///< size of the slot arena
    Bytes work = {};              ///< size of the work arena: the most that a program needs
    Bytes ahead = {};             ///< the next batch before its step (schedule/feeds_ahead.h)
    Bytes staging = {};           ///< pinned host memory for steps that the host computes
    Bytes collectiveStaging = {}; ///< pinned host memory for collectives through the host
    /// Returns the bytes of the device's own memory.
    [[nodiscard]] Bytes deviceBytes() const { return slots + work + ahead; }
    /// Returns the bytes of host memory that are needed besides the device's own.
    [[nodiscard]] Bytes hostBytes() const { return staging + collectiveStaging; }
    void growFor(const Program& program);
};
[[nodiscard]] ArenaNeed arenaNeed(std::span<const Program> programs);

/// Which members of a collective have arrived, for messages about a wait that takes too long.
struct Arrivals {
    std::vector<std::string> arrived; ///< names of devices
    std::vector<std::string> missing; ///< names of devices
};
/// Thread-safe.
[[nodiscard]] Arrivals arrivalsAt(const Collective& collective, const Plan& plan);

class BoundProgram;

/// Is called after every step, on its stream's thread, before anything can overwrite the step's
/// results (observed step). `step` is an index into the program's steps.
class StepObserver {
public:
    virtual ~StepObserver() = default;
    virtual void onStepDone(const BoundProgram& program, std::uint32_t step) = 0;
};

/// A program with kernels, collectives and arena addresses, and the progress of each stream.
class BoundProgram {
public:
    enum class Advance : std::uint8_t {
        moved,   ///< a step was executed or a collective was started
        blocked, ///< the next step cannot start yet
        finished ///< all steps of the stream are done
    };

    /// Call on the worker's own thread. A program without collectives needs no communicator.
    /// `staging` has the size that `stagingOf` returns.
    BoundProgram(Program program, Communicator* communicator, void* slots, void* work,
                 void* staging = nullptr);
    ~BoundProgram();
    BoundProgram(BoundProgram&&) noexcept;
    BoundProgram& operator=(BoundProgram&&) = delete;

    [[nodiscard]] const Program& program() const;
    /// Creates the device events for begin and end of each step and part. Call once, before the
    /// program runs on these streams.
    void createEventsOn(std::span<const std::unique_ptr<Stream>> streams);
    /// Captures the parts that this run replays and that are not captured yet. Call after `begin`.
    void captureOn(std::span<const std::unique_ptr<Stream>> streams);
    /// Call when the streams have finished a run. Reads the times if they are in device events.
    void end();
    /// Returns the library calls of the kernels by step, named as in device/library_calls.h.
    [[nodiscard]] std::vector<std::vector<std::string>> libraryCalls() const;
    /// Returns the collectives in the program's order.
    [[nodiscard]] std::span<const std::unique_ptr<Collective>> collectives() const;
    [[nodiscard]] std::size_t streams() const; ///< their number
    /// Call before each run of the program, while no stream moves. A run without timing replays
    /// captured parts, if there are any and the program has run before.
    void begin(bool isTimed = true);
    [[nodiscard]] bool isTimed() const;
    /// A collective that takes longer throws Error{timeout} with its name and the members that have
    /// arrived.
    void setCollectiveLimit(std::chrono::nanoseconds limit);
    /// nullptr removes the observer. Call while no stream moves. The observer must outlive the runs
    /// that it observes.
    void observe(StepObserver* observer);
    /// Gives each step a name and each stream a place in which it records its position. Call while
    /// no stream moves. The places must outlive the program.
    void recordPositionsIn(std::span<const NameIndex> names, std::span<StreamActivity> places);
    /// Executes one step of the stream if the step can start now. A collective is started and then
    /// polled. An asynchronous stream enqueues the step behind what the step waits for. Spans use
    /// the clock of `queue`, or the host's clock without a queue.
    Advance advance(std::size_t stream, Stream* queue);
    /// False while a collective that was enqueued on a stream has not ended. Throws what failed,
    /// and Error{timeout} if a collective takes too long. Call while no stream moves.
    [[nodiscard]] bool haveCollectivesEnded();
    /// Returns the index of the step that the stream executes (the first step of a captured part);
    /// -1 when it has finished. Thread-safe.
    [[nodiscard]] int currentStep(std::size_t stream) const;
    /// True while the stream's current step is a collective that has been started.
    [[nodiscard]] bool isCommunicating(std::size_t stream) const;
    /// Returns when the stream's current step was started, by the host's clock; 0 while the stream
    /// waits for other streams. Thread-safe.
    [[nodiscard]] std::int64_t currentStepStart(std::size_t stream) const;
    /// Returns the collective that the stream has started and waits in, or nullptr. Any thread may
    /// ask which members have arrived.
    [[nodiscard]] const Collective* currentCollective(std::size_t stream) const;
    /// True if a step that writes slots has been started since `begin`.
    [[nodiscard]] bool hasTouchedSlots() const;
    /// Times of the last run, in the order of the program's steps, or of its parts if it replayed
    /// them.
    [[nodiscard]] const std::vector<SpanTime>& timings() const;
    [[nodiscard]] void* address(const Buffer& buffer) const;
    /// Sleeps until the stream's counters move or the fault is set.
    void waitForProgress(std::size_t stream, const FirstFailure& fault) const;
    void wakeAll() const;

private:
    /// True if everything that the stream's next step waits for has ended or is enqueued. The
    /// stream then waits for it.
    bool mayStart(std::size_t stream, Stream* queue) const;
    /// Starts or polls the stream's current collective. True if the collective has finished.
    bool pollCollective(std::size_t stream, bool begins, Stream* queue);
    /// True if every other stream is in a step and at least one of them computes.
    [[nodiscard]] bool areOthersBusy(std::size_t stream) const;
    void waitForPeers(std::size_t stream, const FirstFailure& fault) const;
    [[noreturn]] void throwTimeout(std::uint32_t index, const Collective& collective) const;

    struct State;
    std::unique_ptr<State> state_;
};

} // namespace weft
