// SPDX-License-Identifier: Apache-2.0
#pragma once
// A worker's membership of one set of members. Its worker speaks through it, and any thread may end
// it: whoever speaks afterwards hears Error{stopped}.

#include "comm/nccl/seam.h"

#include <functional>
#include <mutex>

namespace weft::nccl {

class Communicator {
public:
    /// Begins to join, as seam::join does.
    Communicator(const seam::Id& id, int members, int me);
    ~Communicator();
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;

    [[nodiscard]] bool isThrough();
    void allReduce(void* stream, std::span<const Summed> tensors, DType dtype, Reduction reduction);
    void exchange(void* stream, std::span<const Message> messages);
    void abort() noexcept;

private:
    template <class Say>
    auto say(const Say& what);

    std::mutex mutex_;
    Membership* membership_; ///< none: it was aborted
};

[[noreturn]] void throwStopped();

} // namespace weft::nccl
