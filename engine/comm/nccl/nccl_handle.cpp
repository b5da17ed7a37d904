// SPDX-License-Identifier: Apache-2.0
#include "comm/nccl/nccl_handle.h"

#include "device/backend.h"

#include <utility>

namespace weft::nccl {

template <class Say>
auto NcclHandle::say(const Say& what) {
    const std::scoped_lock lock(mutex_);
    if (membership_ == nullptr) {
        throwStopped();
    }
    return what(membership_);
}

NcclHandle::NcclHandle(const seam::Id& id, int members, int me)
    : membership_(seam::join(id, members, me)) {}

NcclHandle::~NcclHandle() {
    if (membership_ != nullptr) {
        seam::leave(membership_);
    }
}

bool NcclHandle::isCallDone() {
    return say([](Membership* mine) { return seam::isCallDone(mine); });
}

void NcclHandle::allReduce(Stream& stream, std::span<const ReducedTensor> tensors, DType dtype,
                           Reduction reduction) {
    say([&](Membership* mine) {
        seam::allReduce(mine, stream.handle(), tensors, dtype, reduction);
    });
}

void NcclHandle::exchange(Stream& stream, std::span<const Message> messages) {
    if (!messages.empty()) {
        say([&](Membership* mine) { seam::exchange(mine, stream.handle(), messages); });
    }
}

void NcclHandle::abort() noexcept {
    const std::scoped_lock lock(mutex_);
    if (Membership* mine = std::exchange(membership_, nullptr); mine != nullptr) {
        seam::abort(mine);
    }
}

} // namespace weft::nccl
