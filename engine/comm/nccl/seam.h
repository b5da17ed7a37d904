// SPDX-License-Identifier: Apache-2.0
#pragma once
// All that this folder asks of NCCL, named after what is meant. It is written twice: by the
// library, opened at run time (library.cpp), and by a stand-in (tests/support/sim), on which the
// rest of this folder is proved where there is no chip. What fails throws Error{peer}.

#include "comm/queued/joined.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace weft::nccl {

/// A member's end of what joins a set of members.
struct Membership;

namespace seam {

/// Tells one set of members from all others; one of them makes it.
using Id = std::array<std::byte, 128>;

struct Found {
    std::string version; ///< "2.28.9"
    std::string lacks;   ///< of the library or of this version; empty: it can be used
};
[[nodiscard]] Found survey();

[[nodiscard]] Id makeId();

/// Begins to join, for the device that this thread speaks to; it has joined once that is through.
[[nodiscard]] Membership* join(const Id& id, int members, int me);
/// False while what was said last is under way: nothing else is said until then. True: it stands in
/// the stream. Throws what has failed, here or at a peer, then or since.
[[nodiscard]] bool isThrough(Membership* membership);
/// All members say the same, in the same order; every tensor becomes the sum, or the largest.
void allReduce(Membership* membership, void* stream, std::span<const Summed> tensors, DType dtype,
               Reduction reduction);
/// Messages between two members meet in the order in which both have them.
void exchange(Membership* membership, void* stream, std::span<const Message> messages);
/// What is under way ends, whatever it has come to, and the membership is no more.
void abort(Membership* membership) noexcept;
/// The same once all has ended, for peers to leave too.
void leave(Membership* membership) noexcept;

} // namespace seam

} // namespace weft::nccl
