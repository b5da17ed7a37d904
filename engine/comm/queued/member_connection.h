// SPDX-License-Identifier: Apache-2.0
#pragma once
// Operations that members of a communicator of devices enqueue on their streams. Failures throw
// Error{peer}.

#include "device/communicator.h"

#include <cstdint>
#include <span>
#include <vector>

namespace weft {

/// A tensor of an all-reduce; input and output may be the same.
struct ReducedTensor {
    const void* in = nullptr;
    void* out = nullptr;
    std::int64_t elements = 0;
};

/// To or from the memory of that member. Messages between two members are matched in order.
struct Message {
    int peer = 0;            ///< position of the other member
    void* address = nullptr; ///< memory to send from or to receive into
    std::int64_t bytes = 0;
    bool isSent = false; ///< false: it is received from the peer
};

/// A member's connection to a set of members. Its worker uses it, and any thread may abort it;
/// later calls then throw Error{stopped}.
class MemberConnection {
public:
    virtual ~MemberConnection() = default;
    /// Polls. False while the last call is in progress; no other call may follow until it is true.
    /// True: all work is enqueued on the stream. Throws failures of this member or a peer.
    [[nodiscard]] virtual bool isCallDone() = 0; ///< polls: the last call's work is enqueued
    /// All members call this in the same order. Every tensor becomes the sum or maximum over the
    /// members.
    virtual void allReduce(Stream& stream, std::span<const ReducedTensor> tensors, DType dtype,
                           Reduction reduction) = 0;
    virtual void exchange(Stream& stream, std::span<const Message> messages) = 0;
    virtual void abort() noexcept = 0; ///< later calls throw Error{stopped}
    /// Returns the members that were seen to have arrived at the last call, including this one.
    [[nodiscard]] virtual std::vector<DeviceId> arrived() const { return {}; }
};

[[noreturn]] void throwStopped(); ///< throws Error{stopped}

} // namespace weft
