// SPDX-License-Identifier: Apache-2.0
#pragma once
// What members of a communicator of devices say to each other in the queues of their streams. What
// fails throws Error{peer}.

#include "device/communicator.h"

#include <cstdint>
#include <span>
#include <vector>

namespace weft {

/// A tensor of an all-reduce; both places may be one.
struct Summed {
    const void* in = nullptr;
    void* out = nullptr;
    std::int64_t elements = 0;
};

/// To or from the place of the member with that number. Messages between two members meet in the
/// order in which both have them.
struct Message {
    int peer = 0;
    void* at = nullptr;
    std::int64_t bytes = 0;
    bool isSent = false;
};

/// A member's end of what joins a set of members. Its worker speaks through it, and any thread may
/// end it: whoever speaks afterwards hears Error{stopped}.
class Joined {
public:
    virtual ~Joined() = default;
    /// Moves things on. False while what was said last is under way: nothing else is said until
    /// then. True: all of it stands in the stream. Throws what has failed, here or at a peer.
    [[nodiscard]] virtual bool isThrough() = 0;
    /// All members say the same, in the same order; every tensor becomes the sum, or the largest.
    virtual void allReduce(Stream& stream, std::span<const Summed> tensors, DType dtype,
                           Reduction reduction) = 0;
    virtual void exchange(Stream& stream, std::span<const Message> messages) = 0;
    virtual void abort() noexcept = 0;
    /// Positions of those that were seen to have come to what was said last; this member is one.
    [[nodiscard]] virtual std::vector<DeviceId> arrived() const { return {}; }
};

[[noreturn]] void throwStopped();

} // namespace weft
