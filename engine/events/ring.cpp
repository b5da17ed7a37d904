// SPDX-License-Identifier: Apache-2.0
#include "events/ring.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace weft {

EventRing::EventRing(std::size_t capacity)
    : bytes_(new std::byte[std::bit_ceil(std::max<std::size_t>(capacity, 64))]),
      mask_(std::bit_ceil(std::max<std::size_t>(capacity, 64)) - 1) {}

bool EventRing::hasRoomFor(std::size_t bytes) {
    if (capacity() - (head_ - knownRead_) >= bytes) {
        return true;
    }
    knownRead_ = read_.load(std::memory_order_acquire);
    return capacity() - (head_ - knownRead_) >= bytes;
}

void EventRing::append(std::span<const std::byte> bytes) {
    if (bytes.empty()) {
        return;
    }
    const std::size_t at = head_ & mask_;
    const std::size_t first = std::min(bytes.size(), capacity() - at);
    std::memcpy(bytes_.get() + at, bytes.data(), first);
    std::memcpy(bytes_.get(), bytes.data() + first, bytes.size() - first);
    head_ += bytes.size();
}

std::size_t EventRing::drain(std::vector<std::byte>& out) {
    const std::size_t begin = read_.load(std::memory_order_relaxed);
    const std::size_t count = written_.load(std::memory_order_acquire) - begin;
    const std::size_t at = begin & mask_;
    const std::size_t first = std::min(count, capacity() - at);
    out.insert(out.end(), bytes_.get() + at, bytes_.get() + at + first);
    out.insert(out.end(), bytes_.get(), bytes_.get() + (count - first));
    read_.store(begin + count, std::memory_order_release);
    return count;
}

} // namespace weft
