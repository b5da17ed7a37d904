// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sends bytes between workers that share no memory: messages are matched by sender, receiver and
// tag, in order for each tag, and no call blocks. Implemented by MPI, and in memory by the
// simulated communicator, so that code for several processes can be tested in one thread.

#include <weft/types.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace weft {

/// Identifies a pending message; reused after that message has ended.
using PostTicket = std::int64_t; ///< identifies a message that is under way

class Postbox { ///< sends bytes between workers that share no memory
public:
    virtual ~Postbox() = default;
    /// The bytes must stay in place until the ticket has ended. Tags are below 2^22.
    virtual PostTicket send(DeviceId from, DeviceId to, std::uint32_t tag,
                            std::span<const std::byte> bytes) = 0;
    virtual PostTicket receive(DeviceId from, DeviceId to, std::uint32_t tag,
                               std::span<std::byte> bytes) = 0;
    /// Returns true once, when the message has arrived or was sent; then the ticket is no longer
    /// valid.
    [[nodiscard]] virtual bool hasEnded(PostTicket ticket) = 0; ///< true once: arrived or sent
};

} // namespace weft
