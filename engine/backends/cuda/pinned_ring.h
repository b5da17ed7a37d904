// SPDX-License-Identifier: Apache-2.0
#pragma once
// Between the host's memory and a device's: pinned blocks that take turns. What is put is copied on
// while the host goes on; what is fetched comes in one wait, however many pieces it is.

#include "backends/cuda/seam.h"
#include "device/backend.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft::cuda {

class PinnedRing {
public:
    /// On the device that this thread speaks to; its copies stand in that stream.
    explicit PinnedRing(StreamHandle stream);
    ~PinnedRing();
    PinnedRing(const PinnedRing&) = delete;
    PinnedRing& operator=(const PinnedRing&) = delete;

    /// The host's side has been read when it returns.
    void put(void* device, const void* host, std::int64_t bytes);
    /// All of them are there when it returns.
    void fetch(std::span<const Fetch> all);

private:
    struct Block {
        std::byte* memory = nullptr;
        Event copied = nullptr; ///< what was put into it, the last time that it was full
        std::int64_t used = 0;
    };
    struct Arrival {
        std::byte* host = nullptr;
        std::int64_t at = 0;
        std::int64_t bytes = 0;
    };

    Block& blockWithRoom();
    void hand(std::vector<Arrival>& arrivals);

    StreamHandle stream_;
    std::array<Block, 4> blocks_; ///< of what is put
    std::size_t current_ = 0;
    std::byte* arrived_ = nullptr; ///< as large as a block
};

} // namespace weft::cuda
