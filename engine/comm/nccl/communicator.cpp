// SPDX-License-Identifier: Apache-2.0
#include "comm/nccl/communicator.h"

#include <weft/error.h>

#include <utility>

namespace weft::nccl {

void throwStopped() {
    throw Error(ErrorCode::stopped, {}, "the run was ended while waiting here",
                "see the first failure of the run");
}

template <class Say>
auto Communicator::say(const Say& what) {
    const std::scoped_lock lock(mutex_);
    if (membership_ == nullptr) {
        throwStopped();
    }
    return what(membership_);
}

Communicator::Communicator(const seam::Id& id, int members, int me)
    : membership_(seam::join(id, members, me)) {}

Communicator::~Communicator() {
    if (membership_ != nullptr) {
        seam::leave(membership_);
    }
}

bool Communicator::isThrough() {
    return say([](Membership* mine) { return seam::isThrough(mine); });
}

void Communicator::allReduce(void* stream, std::span<const Summed> tensors, DType dtype,
                             Reduction reduction) {
    say([&](Membership* mine) { seam::allReduce(mine, stream, tensors, dtype, reduction); });
}

void Communicator::exchange(void* stream, std::span<const Message> messages) {
    say([&](Membership* mine) { seam::exchange(mine, stream, messages); });
}

void Communicator::abort() noexcept {
    const std::scoped_lock lock(mutex_);
    if (Membership* mine = std::exchange(membership_, nullptr); mine != nullptr) {
        seam::abort(mine);
    }
}

} // namespace weft::nccl
