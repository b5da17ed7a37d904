// SPDX-License-Identifier: Apache-2.0
#pragma once
// One member's side of a collective that transfers pieces, in the order of its stream: packs pieces
// that are not contiguous, sends messages directly between buffers where possible, adds received
// pieces in the order of the transfers, and unpacks.

#include "comm/queued/joined.h"
#include "device/backend.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace weft {

/// Addresses for one call.
struct MoveArguments {
    std::span<const void* const> inputs;
    std::span<void* const> outputs;
    void* scratch = nullptr;
    Stream* stream = nullptr;
};

class Moves {
public:
    Moves(const CollectiveRequest& request, int me, const KernelList& kernels, Device& device);

    [[nodiscard]] Bytes scratch() const { return {scratch_}; }
    /// Returns the number of elements that go to other members.
    [[nodiscard]] std::int64_t elementsSent() const { return sent_; }
    /// Call before the messages. Also sets to zero what no transfer writes.
    void pack(const MoveArguments& arguments);
    [[nodiscard]] std::span<const Message> messages(const MoveArguments& arguments);
    /// Call after the messages.
    void unpack(const MoveArguments& arguments);

private:
    struct Place {
        enum class In : std::uint8_t { input, output, scratch } in = In::scratch;
        std::size_t tensor = 0;
        std::int64_t offset = 0; ///< in bytes
    };
    struct Copy {
        Place from;
        Place to;
        BoxCopy box;
    };
    struct Way {
        int peer = 0;
        Place place;
        std::int64_t bytes = 0;
        bool isSent = false;
    };
    /// The terms of a sum that gives one piece.
    struct Total {
        std::size_t tensor = 0;
        Piece target;
        std::vector<Place> terms;
        Place sum = {};
        Place work = {}; ///< the kernel's scratch memory
        std::unique_ptr<Kernel> kernel = {};
        std::vector<const void*> inputs = {}; ///< for the call
    };

    void addOutgoing(const Transfer& transfer);
    void addIncoming(const Transfer& transfer, bool isOwn);
    void addTerm(const Transfer& transfer, const Place& term);
    void settle(Total& total, const KernelList& kernels);
    [[nodiscard]] Place reserve(std::int64_t bytes);
    [[nodiscard]] Place placeOf(Place::In in, std::size_t tensor, const Piece& piece) const;
    /// Returns the piece as contiguous memory: its own place, or where it is packed.
    [[nodiscard]] Place asRun(const Transfer& transfer);
    [[nodiscard]] std::int64_t bytesOf(const Piece& piece) const;
    [[nodiscard]] static std::byte* addressOf(const Place& place, const MoveArguments& arguments);
    void copy(const std::vector<Copy>& copies, const MoveArguments& arguments) const;

    std::size_t elementSize_;
    std::int64_t scratch_ = 0;
    std::int64_t sent_ = 0;
    /// One zero element on the device; nullptr: transfers write all outputs.
    std::unique_ptr<Arena> zero_;
    std::vector<BoxCopy> clears_; ///< per output, copies of that element
    std::vector<Copy> packs_;
    std::vector<Way> ways_;
    std::vector<Total> totals_;
    std::vector<Copy> unpacks_;
    std::vector<Message> messages_; ///< for the call
};

} // namespace weft
