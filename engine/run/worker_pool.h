// SPDX-License-Identifier: Apache-2.0
#pragma once
// The workers of this process: one thread per stream of each device, one for all streams of a
// device that runs its work later, or none at all when one thread drives all workers in turn (the
// simulated communicator). A pool prepares its programs on the workers' own threads, then runs one
// member of the programSet at a time. The caller alone hands out work; nothing is allocated in
// `run`.

#include "device/backend.h"
#include "device/communicator_list.h"
#include "run/arena_need.h"
#include "run/executor.h"
#include "run/waiting_batch.h"

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace weft {

/// A device of this process, opened.
struct LocalDevice {
    DeviceId id;
    std::string name;
    const Backend* backend = nullptr; ///< whose it is; outlives it
    std::unique_ptr<Device> device;
    int cores = 1;
    DeviceSheet sheet = {}; ///< by which its steps are priced
    std::string local = {}; ///< what its host calls it
};

/// Where a stream of a worker stands: for the watchdog and for messages.
struct StreamStand {
    DeviceId device;
    std::size_t stream = 0;
    int step = -1; ///< of the running program; -1: finished
    bool communicates = false;
    std::int64_t since = 0;     ///< of that step, by the steady clock; 0: it has not been started
    const Step* what = nullptr; ///< that step; lives as long as the pool
    const Collective* waitsIn = nullptr; ///< while it communicates
};

/// Where collectives meet that name a communicator of devices.
struct DevicesMeeting {
    const CommunicatorList* communicators = nullptr;         ///< outlives the pool
    std::chrono::nanoseconds limit{std::chrono::minutes(1)}; ///< to join all members
};

class WorkerPool {
public:
    /// Its collectives meet in `communicator`, which outlives it, or in a communicator of devices
    /// that they name. With `isStepped` all streams run on the calling thread, in turn, and none
    /// name one.
    WorkerPool(std::vector<LocalDevice> devices, Communicator* communicator, bool isStepped,
               DevicesMeeting meeting = {});
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// Makes each worker's programs on its own thread, all at once. Then allocates arenas and makes
    /// kernels, unless `admit`, told what each worker's arenas will hold, throws; and starts the
    /// streams.
    using Admit = std::function<void(const std::vector<const LocalDevice*>& devices,
                                     const std::vector<ArenaNeed>& needs)>;
    void prepare(const std::function<std::vector<Program>(const LocalDevice&)>& make,
                 const Admit& admit = {});
    /// Runs member `index` of the programSet on all workers; throws the first failure of any of
    /// them. Where nobody asks for the times of its steps a device may repeat what it has captured.
    void run(std::size_t index, bool isTimed = true);
    /// The worker's runs of member `index` are seen by it until nullptr is given; only while
    /// nothing runs.
    void observe(std::size_t worker, std::size_t index, StepObserver* observer);
    /// Where its streams are is left in `standing`'s places, which the pool keeps: worker by
    /// worker, as many as each has streams. `names`: by worker and member, of every step. Before
    /// the first run.
    void standIn(std::shared_ptr<Standing> standing,
                 const std::vector<std::vector<std::vector<NameIndex>>>& names);
    [[nodiscard]] std::vector<StandingStream> streams() const;
    /// How long a collective may last; before the first run.
    void setLimit(std::chrono::nanoseconds limit);
    /// The streams leave as soon as they look; `run` throws this.
    void abort(std::exception_ptr why);

    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] const LocalDevice& device(std::size_t worker) const;
    [[nodiscard]] std::size_t members() const;
    [[nodiscard]] const BoundProgram& program(std::size_t worker, std::size_t index) const;
    /// Only while nothing runs.
    void copyIn(std::size_t worker, std::size_t index, const Buffer& to, const void* from);
    /// Where the next batch waits.
    [[nodiscard]] WaitingBatch& waiting() const;
    void copyOut(std::size_t worker, std::size_t index, const Buffer& from, void* to) const;
    /// All of them at once, each to its place.
    void copyOut(std::size_t worker, std::size_t index,
                 std::span<const std::pair<const Buffer*, void*>> all) const;
    /// A worker's part of a slot, plain and row-major, whatever format the programs keep it in.
    void writeSlot(std::size_t worker, std::size_t slot, const void* from);
    void readSlot(std::size_t worker, std::size_t slot, void* to) const;
    /// Any thread may ask, once the pool is prepared.
    [[nodiscard]] std::vector<StreamStand> stands() const;
    /// True if the last run came to its end on all workers.
    [[nodiscard]] bool isLastRunWhole() const;
    /// True if the last run has begun to write parameters or other slots.
    [[nodiscard]] bool hasTouchedSlots() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace weft
