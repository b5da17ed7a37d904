// SPDX-License-Identifier: Apache-2.0
#pragma once
// A bounded ring of bytes between one producer and one consumer, without a lock: the producer never
// waits, never allocates, and what it puts becomes visible whole.

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace weft {

class EventRing {
public:
    /// Rounded up to a power of two.
    explicit EventRing(std::size_t capacity);

    /// Producer: whether so many bytes can be appended now.
    [[nodiscard]] bool hasRoomFor(std::size_t bytes);
    /// Producer: appends to what `publish` will show. There is room (`hasRoomFor`).
    void append(std::span<const std::byte> bytes);
    void publish() { written_.store(head_, std::memory_order_release); }

    /// Consumer: moves everything published to the end of `out`; the number of bytes.
    std::size_t drain(std::vector<std::byte>& out);

    [[nodiscard]] std::size_t capacity() const { return mask_ + 1; }

private:
    std::unique_ptr<std::byte[]>
        bytes_; // NOLINT(modernize-avoid-c-arrays): not touched before it is used
    std::size_t mask_;
    // The two sides' words on lines of their own, so that neither's writing slows the other's
    // reading.
    alignas(64) std::size_t head_ = 0;
    std::size_t knownRead_ = 0;
    alignas(64) std::atomic<std::size_t> written_ = 0;
    alignas(64) std::atomic<std::size_t> read_ = 0;
};

} // namespace weft
