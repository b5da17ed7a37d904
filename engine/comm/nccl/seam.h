// SPDX-License-Identifier: Apache-2.0
#pragma once
// The interface of this folder to NCCL. It has two implementations: the library, opened at run time
// (library.cpp), and a simulation (tests/support/sim), with which the rest of this folder is tested
// without a GPU. Failures throw Error{peer}.

#include "comm/queued/member_connection.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace weft::nccl {

/// A member's NCCL communicator for one set of members.
struct Membership;

namespace seam {

/// Identifies a set of members; one of the members creates it.
using Id = std::array<std::byte, 128>; ///< an ncclUniqueId

struct LibraryState {
    std::string version; ///< "2.28.9"
    std::string lacks;   ///< why the library or this version cannot be used; empty: it can
};
[[nodiscard]] LibraryState findLibrary(); ///< opens NCCL, if it is installed

[[nodiscard]] Id makeId(); ///< for a new set of members

/// Starts to join with the current device of this thread. The member has joined once `isCallDone`
/// returns true.
[[nodiscard]] Membership* join(const Id& id, int members, int me);
/// False while the last call is in progress; no other call may follow until it is true. True: the
/// work is enqueued on the stream. Throws failures of this member or a peer, then or since.
[[nodiscard]] bool isCallDone(Membership* membership); ///< the last call has enqueued its work
/// All members call this in the same order. Every tensor becomes the sum or maximum over the
/// members.
void allReduce(Membership* membership, void* stream, std::span<const ReducedTensor> tensors,
               DType dtype, Reduction reduction);
/// Messages between two members are matched in order.
void exchange(Membership* membership, void* stream, std::span<const Message> messages);
/// Aborts everything in progress and destroys the membership.
void abort(Membership* membership) noexcept;
/// Destroys the membership when everything has ended, so that peers can leave, too.
void leave(Membership* membership) noexcept; ///< destroys it when all work has ended

} // namespace seam

} // namespace weft::nccl
