// SPDX-License-Identifier: Apache-2.0
#pragma once
// One member's side of a collective that transfers pieces, in the order of its stream: packs pieces
// that are not contiguous, sends messages directly between buffers where possible, adds received
// pieces in the order of the transfers, and unpacks.

#include "comm/queued/member_connection.h"
#include "device/backend.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace weft {

/// Addresses for one call.
struct TransferArguments {
    std::span<const void* const> inputs; ///< address of each input
    std::span<void* const> outputs;
    void* scratch = nullptr;
    Stream* stream = nullptr;
};

class PieceTransfers {
public:
    PieceTransfers(const CollectiveRequest& request, int me, const KernelList& kernels,
                   Device& device);

    [[nodiscard]] Bytes scratch() const { return {scratch_}; } ///< required scratch memory
    /// Returns the number of elements that go to other members.
    [[nodiscard]] std::int64_t elementsSent() const { return elementsSent_; }
    /// Call before the messages. Also sets to zero what no transfer writes.
    void pack(const TransferArguments& arguments);
    [[nodiscard]] std::span<const Message> messages(const TransferArguments& arguments);
    /// Call after the messages.
    void unpack(const TransferArguments& arguments);

private:
    struct BufferPosition {
        enum class Buffer : std::uint8_t { input, output, scratch } buffer = Buffer::scratch;
        std::size_t tensor = 0;
        std::int64_t offset = 0; ///< in bytes
    };
    struct Copy {
        BufferPosition from;
        BufferPosition to;
        BoxCopy box; ///< loops of the copy
    };
    struct PlannedMessage {
        int peer = 0;
        BufferPosition position; ///< memory to send from or to receive into
        std::int64_t bytes = 0;
        bool isSent = false; ///< false: it is received
    };
    /// The terms of a sum that gives one piece.
    struct PieceSum {
        std::size_t tensor = 0;
        Piece target;                      ///< the piece of the output that is the sum
        std::vector<BufferPosition> terms; ///< in the order of the sum
        BufferPosition sum = {};           ///< where the kernel writes the sum
        BufferPosition work = {};          ///< the kernel's scratch memory
        std::unique_ptr<Kernel> kernel = {};
        std::vector<const void*> inputs = {}; ///< for the call
    };

    void addOutgoing(const Transfer& transfer);
    void addIncoming(const Transfer& transfer, bool isOwn);
    void addTerm(const Transfer& transfer, const BufferPosition& term);
    void planSum(PieceSum& total, const KernelList& kernels);
    [[nodiscard]] BufferPosition reserve(std::int64_t bytes); ///< in the scratch memory
    [[nodiscard]] BufferPosition positionOf(BufferPosition::Buffer buffer, std::size_t tensor,
                                            const Piece& piece) const;
    /// Returns the piece as contiguous memory: its own place, or where it is packed.
    [[nodiscard]] BufferPosition contiguousPosition(const Transfer& transfer);
    [[nodiscard]] std::int64_t bytesOf(const Piece& piece) const;
    [[nodiscard]] static std::byte* addressOf(const BufferPosition& position,
                                              const TransferArguments& arguments);
    void copy(const std::vector<Copy>& copies, const TransferArguments& arguments) const;

    std::size_t elementSize_;
    std::int64_t scratch_ = 0;        ///< bytes of scratch memory
    std::int64_t elementsSent_ = 0;   ///< per call, to other members
    std::unique_ptr<Arena> zero_;     ///< one zero element; nullptr: transfers write all outputs
    std::vector<BoxCopy> zeroCopies_; ///< per output: copies `zero_` to all its elements
    std::vector<Copy> packCopies_;    ///< before the messages
    std::vector<PlannedMessage> plannedMessages_; ///< sent and received, in order
    std::vector<PieceSum> sums_;                  ///< computed after the messages
    std::vector<Copy> unpackCopies_;              ///< after the messages and sums
    std::vector<Message> messages_; ///< the planned ones with the addresses of the call
};

} // namespace weft
