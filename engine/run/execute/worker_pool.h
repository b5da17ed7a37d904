// SPDX-License-Identifier: Apache-2.0
#pragma once
// The workers of this process: one thread per stream of each device, one thread for all streams of
// an asynchronous device, or no threads if one thread drives all workers in turn (simulated
// communicator). A pool prepares programs on the workers' own threads, then runs one variant of the
// program set at a time. Only the caller assigns work; `run` allocates nothing.

#include "device/backend.h"
#include "device/communicator_list.h"
#include "events/recorder.h"
#include "run/execute/executor.h"

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// An opened device of this process.
struct LocalDevice {
    DeviceId id;
    std::string name;
    const Backend* backend = nullptr; ///< the device's backend; must outlive it
    std::unique_ptr<Device> device;
    int cores = 1;          ///< cores that it computes on
    DeviceSheet sheet = {}; ///< prices its steps
    std::string local = {}; ///< its name on its host
};

/// The position of a worker's stream, for the watchdog and for messages.
struct StreamPosition {
    DeviceId device;
    std::size_t stream = 0;
    int step = -1;              ///< index in the running program; -1: finished
    bool communicates = false;  ///< the step is a collective that has been started
    std::int64_t since = 0;     ///< when the step began, by the steady clock, in ns; 0: not started
    const Step* what = nullptr; ///< the step, in the running program; lives as long as the pool
    const Collective* waitsIn = nullptr; ///< while it communicates
};

/// The communicators of devices that collectives may name.
struct DeviceCommunicators {
    const CommunicatorList* communicators = nullptr;         ///< must outlive the pool
    std::chrono::nanoseconds limit{std::chrono::minutes(1)}; ///< for all members to join
};

/// Memory of asynchronous devices, beside the arenas of their workers, in which the next batch
/// waits for its step (schedule/feeds_ahead.h). Only one feeder owns this memory at a time: the one
/// that is asked for a batch.
class WaitingBatch {
public:
    explicit WaitingBatch(std::size_t workers) : memories_(workers) {}

    /// Call before all else, for workers on threads of their own. The device must outlive this
    /// object.
    void allocate(std::size_t worker, Device& device, Bytes size);

    /// Makes `owner` the owner. Thread-safe, like all functions that follow.
    void claim(const void* owner);
    /// Copies data to that offset, also while a worker runs. False if another feeder has become the
    /// owner.
    bool copyIn(const void* owner, std::size_t worker, std::int64_t offset, const void* from,
                Bytes size);
    /// Marks the batch as complete. Called by the feeder that copied it.
    void markComplete();
    /// Copies data from the offset to where a program reads it, while its worker does not run.
    /// False if another feeder has become the owner.
    bool copyToProgram(const void* owner, std::size_t worker, void* to, std::int64_t offset,
                       Bytes size);
    /// Returns when the last complete batch was copied to that worker.
    [[nodiscard]] SpanTime copyTime(std::size_t worker) const;

private:
    struct WorkerMemory {
        Device* device = nullptr;
        std::unique_ptr<Arena> arena = {};    ///< nullptr: no memory for a waiting batch
        SpanTime bringing = {}, brought = {}; ///< times of the present and the last copy
    };

    std::mutex mutex_;                   ///< held during copies
    const void* owner_ = nullptr;        ///< the feeder that may use the memory
    mutable std::mutex timesMutex_;      ///< guards the times
    std::vector<WorkerMemory> memories_; ///< per worker
};

class WorkerPool {
public:
    /// Collectives run in `communicator`, which must outlive the pool, or in a communicator of
    /// devices that they name. With `isStepped` all streams run in turn on the calling thread, and
    /// no collective names a communicator.
    WorkerPool(std::vector<LocalDevice> devices, Communicator* communicator, bool isStepped,
               DeviceCommunicators meeting = {});
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// Makes each worker's programs on its own thread, in parallel. Then calls `admit` with the
    /// sizes of each worker's arenas; unless that throws, allocates arenas, makes kernels and
    /// starts the streams.
    using Admit = std::function<void(const std::vector<const LocalDevice*>& devices,
                                     const std::vector<ArenaNeed>& needs)>;
    void prepare(const std::function<std::vector<Program>(const LocalDevice&)>& make,
                 const Admit& admit = {});
    /// Runs variant `index` of the program set on all workers. Throws the first failure of any
    /// worker. Without timing a device may replay captured parts.
    void run(std::size_t index, bool isTimed = true);
    /// Observes the worker's runs of variant `index` until nullptr is passed. Only while nothing
    /// runs.
    void observe(std::size_t worker, std::size_t index, StepObserver* observer);
    /// Records the streams' positions in `standing`, which the pool keeps alive: worker by worker,
    /// a place per stream. `names` are the names of all steps, by worker and variant. Call before
    /// the first run.
    void recordPositionsIn(std::shared_ptr<ActivityPage> standing,
                           const std::vector<std::vector<std::vector<NameIndex>>>& names);
    [[nodiscard]] std::vector<ActivityStream> streams() const;
    /// Sets how long a collective may take. Call before the first run.
    void setCollectiveLimit(std::chrono::nanoseconds limit);
    /// Makes the streams stop at their next check. `run` throws `why`.
    void abort(std::exception_ptr why);

    [[nodiscard]] std::size_t size() const; ///< number of workers
    [[nodiscard]] const LocalDevice& device(std::size_t worker) const;
    [[nodiscard]] std::size_t variantCount() const;
    [[nodiscard]] const BoundProgram& program(std::size_t worker, std::size_t index) const;
    /// Copies into a buffer of variant `index`. Call only while nothing runs.
    void copyIn(std::size_t worker, std::size_t index, const Buffer& to, const void* from);
    [[nodiscard]] WaitingBatch& waitingBatch() const;
    void copyOut(std::size_t worker, std::size_t index, const Buffer& from, void* to) const;
    /// Copies all of these buffers at once, each to its address.
    void copyOut(std::size_t worker, std::size_t index,
                 std::span<const std::pair<const Buffer*, void*>> all) const;
    /// Writes a worker's part of a slot, given row-major, whatever format the programs keep it in.
    void writeSlot(std::size_t worker, std::size_t slot, const void* from);
    void readSlot(std::size_t worker, std::size_t slot, void* to) const;
    /// Thread-safe once the pool is prepared.
    [[nodiscard]] std::vector<StreamPosition> streamPositions() const;
    /// True if the last run has completed on all workers.
    [[nodiscard]] bool hasLastRunCompleted() const;
    /// True if the last run has begun to write parameters or other slots.
    [[nodiscard]] bool hasTouchedSlots() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace weft
