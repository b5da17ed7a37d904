// SPDX-License-Identifier: Apache-2.0
#pragma once
// A worker's membership in one set of members, through the library.

#include "comm/nccl/seam.h"
#include "comm/queued/member_connection.h"

#include <mutex>

namespace weft::nccl {

class NcclHandle final : public MemberConnection {
public:
    /// Starts to join, like seam::join.
    NcclHandle(const seam::Id& id, int members, int me);
    ~NcclHandle() override;
    NcclHandle(const NcclHandle&) = delete;
    NcclHandle& operator=(const NcclHandle&) = delete;

    [[nodiscard]] bool isCallDone() override; ///< true: the last call's work is enqueued
    void allReduce(Stream& stream, std::span<const ReducedTensor> tensors, DType dtype,
                   Reduction reduction) override;
    void exchange(Stream& stream, std::span<const Message> messages) override;
    void abort() noexcept override;

private:
    template <class Say>
    auto say(const Say& what);

    std::mutex mutex_;
    Membership* membership_; ///< nullptr: it was aborted
};

} // namespace weft::nccl
