// SPDX-License-Identifier: Apache-2.0
#pragma once
// A lock-free ring buffer of bytes with one producer and one consumer. The producer never waits or
// allocates, and its data becomes visible as a whole.

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace weft {

class EventRing {
public:
    /// `capacity` is rounded up to a power of two.
    explicit EventRing(std::size_t capacity);

    /// Producer: true if so many bytes can be appended now.
    [[nodiscard]] bool hasRoomFor(std::size_t bytes);
    /// Producer: appends to the data that `publish` makes visible. Requires `hasRoomFor`.
    void append(std::span<const std::byte> bytes);
    void publish() { written_.store(head_, std::memory_order_release); } ///< makes it visible

    /// Consumer: moves everything published to the end of `out`; returns the number of bytes.
    std::size_t drain(std::vector<std::byte>& out); ///< returns the number of bytes

    [[nodiscard]] std::size_t capacity() const { return mask_ + 1; }

private:
    std::unique_ptr<std::byte[]>
        bytes_;        // NOLINT(modernize-avoid-c-arrays): not touched before it is used
    std::size_t mask_; ///< capacity - 1
    // Producer and consumer data are on separate cache lines, to avoid false sharing.
    alignas(64) std::size_t head_ = 0;
    std::size_t knownRead_ = 0; ///< the producer's copy of `read_`
    alignas(64) std::atomic<std::size_t> written_ = 0;
    alignas(64) std::atomic<std::size_t> read_ = 0;
};

} // namespace weft
