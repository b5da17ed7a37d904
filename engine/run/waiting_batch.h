// SPDX-License-Identifier: Apache-2.0
#pragma once
// Memory of devices that queue their work, beside the arenas of their workers, in which the next
// batch waits for its step (schedule/feeds_ahead.h). Of those who feed the workers one has it at a
// time: who is asked for a batch.

#include "device/backend.h"
#include "events/recorder.h"

#include <memory>
#include <mutex>
#include <vector>

namespace weft {

class WaitingBatch {
public:
    explicit WaitingBatch(std::size_t workers) : places_(workers) {}

    /// Before all else; workers on threads of their own. The device outlives it.
    void allocate(std::size_t worker, Device& device, Bytes size);

    /// It is now that one's; any thread, as for all that follows.
    void claim(const void* owner);
    /// Also while a worker runs: to that offset. False: it is another's by now.
    bool bring(const void* owner, std::size_t worker, std::int64_t offset, const void* from,
               Bytes size);
    /// All of the batch has been brought; by who did.
    void isWhole();
    /// From there to where a program reads it, while its worker does not run; else as `bring`.
    bool place(const void* owner, std::size_t worker, void* to, std::int64_t offset, Bytes size);
    /// When the last whole batch was on its way to that worker.
    [[nodiscard]] SpanTime brought(std::size_t worker) const;

private:
    struct Place {
        Device* device = nullptr;
        std::unique_ptr<Arena> arena = {}; ///< none: nothing waits there
        SpanTime bringing = {}, brought = {};
    };

    std::mutex mutex_; ///< held while something is brought
    const void* owner_ = nullptr;
    mutable std::mutex timesMutex_;
    std::vector<Place> places_; ///< by worker
};

} // namespace weft
