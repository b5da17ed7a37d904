// SPDX-License-Identifier: Apache-2.0
#pragma once
// Memory of asynchronous devices, beside the arenas of their workers, in which the next batch waits
// for its step (schedule/feeds_ahead.h). Only one feeder owns this memory at a time: the one that
// is asked for a batch.

#include "device/backend.h"
#include "events/recorder.h"

#include <memory>
#include <mutex>
#include <vector>

namespace weft {

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

} // namespace weft
