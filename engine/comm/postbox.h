// SPDX-License-Identifier: Apache-2.0
#pragma once
// How bytes get from one worker to another where they share no memory: matched by sender, receiver
// and tag, those of one tag in their order, never waiting. MPI is one; the simulated communicator
// has one in memory, so that what runs between processes is tested in one thread.

#include <weft/types.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace weft {

/// Names a message under way; reused once it has ended.
using PostTicket = std::int64_t;

class Postbox {
public:
    virtual ~Postbox() = default;
    /// The bytes stay where they are until the ticket has ended. Tags below 2^22.
    virtual PostTicket send(DeviceId from, DeviceId to, std::uint32_t tag,
                            std::span<const std::byte> bytes) = 0;
    virtual PostTicket receive(DeviceId from, DeviceId to, std::uint32_t tag,
                               std::span<std::byte> bytes) = 0;
    /// True once, when the message has arrived or has left; then the ticket is gone.
    [[nodiscard]] virtual bool hasEnded(PostTicket ticket) = 0;
};

} // namespace weft
