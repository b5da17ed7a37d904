// SPDX-License-Identifier: Apache-2.0
#pragma once
// Copies between host and device through a ring of pinned blocks. Copies to the device are
// asynchronous for the host; copies to the host take one wait for all pieces.

#include "backends/cuda/runtime/seam.h"
#include "device/backend.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft::cuda {

class PinnedRing {
public:
    /// Uses this thread's current device; copies are enqueued on that stream.
    explicit PinnedRing(StreamHandle stream);
    ~PinnedRing();
    PinnedRing(const PinnedRing&) = delete;
    PinnedRing& operator=(const PinnedRing&) = delete;

    /// The host's memory has been read on return.
    void put(void* device, const void* host, std::int64_t bytes); ///< copies to the device
    /// All copies are complete on return.
    void fetch(std::span<const Fetch> all); ///< copies to the host

private:
    struct Block {
        std::byte* memory = nullptr;
        Event copied = nullptr; ///< recorded after the last full use of the block
        std::int64_t used = 0;  ///< bytes
    };
    struct Arrival {
        std::byte* host = nullptr; ///< destination
        std::int64_t at = 0;       ///< offset in the pinned block
        std::int64_t bytes = 0;
    };

    Block& blockWithRoom();                       ///< a block with free bytes; may wait for copies
    void deliver(std::vector<Arrival>& arrivals); ///< copies to `host`

    StreamHandle stream_;
    std::array<Block, 4> blocks_;  ///< for copies to the device
    std::size_t current_ = 0;      ///< index of the block in use
    std::byte* arrived_ = nullptr; ///< pinned block for copies to the host
};

} // namespace weft::cuda
