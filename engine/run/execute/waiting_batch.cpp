// SPDX-License-Identifier: Apache-2.0
#include "run/execute/waiting_batch.h"

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

} // namespace weft
