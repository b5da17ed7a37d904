// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/runtime/pinned_ring.h"

#include <algorithm>
#include <cstring>

namespace weft::cuda {

namespace {

constexpr std::int64_t blockBytes = std::int64_t{4} << 20;
/// Alignment of pieces: whole cache lines.
constexpr std::int64_t line = 64;

std::int64_t roundedUp(std::int64_t bytes) { return (bytes + line - 1) / line * line; }

} // namespace

PinnedRing::PinnedRing(StreamHandle stream) : stream_(stream) {
    for (Block& block : blocks_) {
        block.memory = static_cast<std::byte*>(seam::allocatePinned(blockBytes));
        block.copied = seam::makeEvent();
    }
    arrived_ = static_cast<std::byte*>(seam::allocatePinned(blockBytes));
}

PinnedRing::~PinnedRing() {
    for (const Block& block : blocks_) {
        seam::releasePinned(block.memory);
        seam::release(block.copied);
    }
    seam::releasePinned(arrived_);
}

PinnedRing::Block& PinnedRing::blockWithRoom() {
    if (blocks_[current_].used == blockBytes) {
        seam::record(blocks_[current_].copied, stream_);
        current_ = (current_ + 1) % blocks_.size();
        seam::finish(blocks_[current_].copied);
        blocks_[current_].used = 0;
    }
    return blocks_[current_];
}

void PinnedRing::put(void* device, const void* host, std::int64_t bytes) {
    auto* to = static_cast<std::byte*>(device);
    const auto* from = static_cast<const std::byte*>(host);
    while (bytes > 0) {
        Block& block = blockWithRoom();
        const std::int64_t part = std::min(bytes, blockBytes - block.used);
        std::memcpy(block.memory + block.used, from, static_cast<std::size_t>(part));
        seam::copyIn(stream_, to, block.memory + block.used, part);
        block.used = std::min(blockBytes, block.used + roundedUp(part));
        to += part;
        from += part;
        bytes -= part;
    }
}

/// Waits for the copies in progress and distributes the data.
void PinnedRing::deliver(std::vector<Arrival>& arrivals) {
    seam::finish(stream_);
    for (const Arrival& arrival : arrivals) {
        std::memcpy(arrival.host, arrived_ + arrival.at, static_cast<std::size_t>(arrival.bytes));
    }
    arrivals.clear();
}

void PinnedRing::fetch(std::span<const Fetch> all) {
    std::vector<Arrival> arrivals;
    std::int64_t used = 0;
    for (const Fetch& one : all) {
        for (std::int64_t done = 0; done < one.size.count;) {
            if (used == blockBytes) {
                deliver(arrivals);
                used = 0;
            }
            const std::int64_t part = std::min(one.size.count - done, blockBytes - used);
            seam::copyOut(stream_, arrived_ + used,
                          static_cast<const std::byte*>(one.device) + done, part);
            arrivals.push_back({static_cast<std::byte*>(one.host) + done, used, part});
            used = std::min(blockBytes, used + roundedUp(part));
            done += part;
        }
    }
    deliver(arrivals);
}

} // namespace weft::cuda
