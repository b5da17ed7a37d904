// SPDX-License-Identifier: Apache-2.0
#include "data/prefetch.h"

#include "base/process/threads.h"
#include <weft/error.h>

#include <algorithm>
#include <utility>

namespace weft {

Prefetch::Prefetch(SourcePointer source, Batcher batcher, std::vector<PrefetchSlot> ring,
                   Settings settings)
    : source_(std::move(source)),
      batcher_(std::move(batcher)),
      settings_(std::move(settings)),
      waitName_("a batch from " + settings_.name),
      examples_(static_cast<std::size_t>(batcher_.settings().batch)) {
    ensure(!ring.empty(), "a ring of batches has at least one slot");
    for (PrefetchSlot& slot : ring) {
        slots_.push_back({.slot = std::move(slot)});
    }
    thread_ = startThread(settings_.name, [this] { readAhead(); });
}

Prefetch::~Prefetch() { stop(); }

void Prefetch::readAhead() {
    DataPosition position = settings_.start;
    for (std::int64_t done = 0; done != settings_.batches; ++done) {
        RingSlot& place = slots_[static_cast<std::size_t>(done) % slots_.size()];
        {
            // Without a timeout, because a run may pause for any time.
            std::unique_lock lock(mutex_);
            slotChanged_.wait(lock, [&] { return isStopped_ || place.state == State::empty; });
            if (isStopped_) {
                return;
            }
        }
        const Batch batch = batcher_.at(position);
        std::exception_ptr error;
        try {
            readBatch(batch, place.slot);
        } catch (...) {
            error = std::current_exception();
        }
        const std::lock_guard lock(mutex_);
        if (error) {
            error_ = error;
            slotChanged_.notify_all();
            return;
        }
        place.batch = batch;
        place.state = State::filled;
        slotChanged_.notify_all();
        position = batcher_.after(batch);
    }
    const std::lock_guard lock(mutex_);
    hasEnded_ = true;
    slotChanged_.notify_all();
}

void Prefetch::readBatch(const Batch& batch, const PrefetchSlot& slot) {
    const auto layout =
        std::find_if(slot.layouts.begin(), slot.layouts.end(),
                     [&](const BatchLayout& each) { return each.rows == batch.rows; });
    ensure(layout != slot.layouts.end(), "a ring has a layout for every number of rows");
    const auto rows = std::span(examples_).first(static_cast<std::size_t>(batch.rows));
    batcher_.fill(batch, 0, rows);
    for (const Destination& destination : layout->destinations) {
        ensure(destination.begin >= 0 && destination.begin <= destination.end &&
                   destination.end <= batch.rows,
               "the requested rows lie in the batch");
        const auto wanted =
            rows.subspan(static_cast<std::size_t>(destination.begin),
                         static_cast<std::size_t>(destination.end - destination.begin));
        source_->readIn(batch.position.epoch, wanted, destination.field, destination.bytes);
        if (batcher_.settings().order.begins == destination.field) {
            batcher_.markFilmBegins(
                batch, destination.begin,
                {reinterpret_cast<float*>(destination.bytes.data()), wanted.size()});
        }
    }
}

std::optional<Prefetch::FilledSlot> Prefetch::take(const Deadline& deadline) {
    std::unique_lock lock(mutex_);
    RingSlot& place = slots_[nextTaken_];
    ensure(place.state != State::taken, "a batch is returned before its slot is needed again");
    waitFor(slotChanged_, lock, deadline, waitName_, [&] {
        return place.state == State::filled || isStopped_ || hasEnded_ || error_ != nullptr;
    });
    if (isStopped_) {
        throw Error(ErrorCode::stopped, {},
                    settings_.name + " was stopped while waiting for a batch", "resume the run");
    }
    if (place.state == State::filled) {
        place.state = State::taken;
        const std::size_t slot = std::exchange(nextTaken_, (nextTaken_ + 1) % slots_.size());
        return FilledSlot{place.batch, slot};
    }
    if (error_) {
        std::rethrow_exception(error_);
    }
    return std::nullopt;
}

void Prefetch::give(std::size_t slot) {
    const std::lock_guard lock(mutex_);
    ensure(slot < slots_.size() && slots_[slot].state == State::taken,
           "a batch that is returned was taken before");
    slots_[slot].state = State::empty;
    slotChanged_.notify_all();
}

void Prefetch::stop() {
    const std::lock_guard lock(mutex_);
    isStopped_ = true;
    slotChanged_.notify_all();
}

} // namespace weft
