// SPDX-License-Identifier: Apache-2.0
#pragma once
// A worker's membership of one set of members, by the library.

#include "comm/nccl/seam.h"
#include "comm/queued/joined.h"

#include <mutex>

namespace weft::nccl {

class NcclHandle final : public Joined {
public:
    /// Begins to join, as seam::join does.
    NcclHandle(const seam::Id& id, int members, int me);
    ~NcclHandle() override;
    NcclHandle(const NcclHandle&) = delete;
    NcclHandle& operator=(const NcclHandle&) = delete;

    [[nodiscard]] bool isThrough() override;
    void allReduce(Stream& stream, std::span<const Summed> tensors, DType dtype,
                   Reduction reduction) override;
    void exchange(Stream& stream, std::span<const Message> messages) override;
    void abort() noexcept override;

private:
    template <class Say>
    auto say(const Say& what);

    std::mutex mutex_;
    Membership* membership_; ///< none: it was aborted
};

} // namespace weft::nccl
