// SPDX-License-Identifier: Apache-2.0
#include "comm/queued/piece_transfers.h"

#include "comm/reduce.h"
#include <weft/error.h>

#include <algorithm>

namespace weft {

namespace {

/// Alignment of packed pieces to memory lines of a chip.
constexpr std::int64_t line = 256;

Shape runStrides(const Shape& count) {
    Shape strides(count.size(), 1);
    for (std::size_t k = count.size(); k-- > 1;) {
        strides[k - 1] = strides[k] * count[k];
    }
    return strides;
}

bool isRun(const Piece& piece) {
    const Shape strides = runStrides(piece.count);
    for (std::size_t k = 0; k < piece.count.size(); ++k) {
        if (piece.count[k] > 1 && piece.stride[k] != strides[k]) {
            return false;
        }
    }
    return true;
}

/// Returns the request for y = the sum of contiguous terms, in order.
KernelRequest sumOf(std::size_t terms, std::int64_t elements) {
    const TensorPart part{.shape = {elements}, .begin = {0}, .whole = {elements}};
    KernelRequest request{.op = "add", .inputs = std::vector(terms, part), .outputs = {part}};
    request.mayChooseFormats = false;
    return request;
}

KernelChoice choiceOf(const KernelRequest& request, const KernelList& kernels) {
    for (const KernelMaker& maker : kernels.of(request.op)) {
        if (ChoiceOrRefusal choice = maker.choose(request)) {
            return std::move(*choice);
        }
    }
    ensure(false, "devices with a communicator have a kernel that adds");
    return {};
}

} // namespace

PieceTransfers::PieceTransfers(const CollectiveRequest& request, int me, const KernelList& kernels,
                               Device& device)
    : elementSize_(byteSize(request.dtype)) {
    const auto& outputs = request.outputBytes[static_cast<std::size_t>(me)];
    if (!outputs.empty() && !coversOutputs(request, me)) {
        zero_ = device.allocate({static_cast<std::int64_t>(elementSize_)});
        for (const std::size_t bytes : outputs) {
            zeroCopies_.push_back(
                boxCopy({static_cast<std::int64_t>(bytes / elementSize_)}, {0}, {1}));
        }
    }
    for (const Transfer& transfer : request.transfers) {
        if (transfer.from == me && transfer.to != me) {
            addOutgoing(transfer);
        } else if (transfer.to == me) {
            addIncoming(transfer, transfer.from == me);
        }
    }
    for (PieceSum& total : sums_) {
        planSum(total, kernels);
    }
    messages_.resize(plannedMessages_.size());
}

void PieceTransfers::addOutgoing(const Transfer& transfer) {
    plannedMessages_.push_back(
        {transfer.to, contiguousPosition(transfer), bytesOf(transfer.source), true});
    elementsSent_ += transfer.source.elements();
}

void PieceTransfers::addIncoming(const Transfer& transfer, bool isOwn) {
    const BufferPosition target =
        positionOf(BufferPosition::Buffer::output, transfer.tensor, transfer.target);
    const bool isSummed = transfer.reduction != Reduction::none;
    if (isOwn && isSummed) {
        addTerm(transfer, contiguousPosition(transfer));
        return;
    }
    if (isOwn) {
        unpackCopies_.push_back(
            {positionOf(BufferPosition::Buffer::input, transfer.tensor, transfer.source), target,
             boxCopy(transfer.source.count, transfer.source.stride, transfer.target.stride)});
        return;
    }
    const std::int64_t bytes = bytesOf(transfer.target);
    const BufferPosition comes = isRun(transfer.target) && !isSummed ? target : reserve(bytes);
    plannedMessages_.push_back({transfer.from, comes, bytes, false});
    if (isSummed) {
        addTerm(transfer, comes);
    } else if (comes.buffer == BufferPosition::Buffer::scratch) {
        const Shape& count = transfer.target.count;
        unpackCopies_.push_back(
            {comes, target, boxCopy(count, runStrides(count), transfer.target.stride)});
    }
}

void PieceTransfers::addTerm(const Transfer& transfer, const BufferPosition& term) {
    const auto known = std::ranges::find_if(sums_, [&](const PieceSum& total) {
        return total.tensor == transfer.tensor && total.target == transfer.target;
    });
    PieceSum& total = known != sums_.end()
                          ? *known
                          : sums_.emplace_back(PieceSum{
                                .tensor = transfer.tensor, .target = transfer.target, .terms = {}});
    total.terms.push_back(term);
}

void PieceTransfers::planSum(PieceSum& total, const KernelList& kernels) {
    const BufferPosition target =
        positionOf(BufferPosition::Buffer::output, total.tensor, total.target);
    const bool isOne = total.terms.size() == 1;
    total.sum = isOne                 ? total.terms.front()
                : isRun(total.target) ? target
                                      : reserve(bytesOf(total.target));
    if (!isOne) {
        KernelChoice choice = choiceOf(sumOf(total.terms.size(), total.target.elements()), kernels);
        total.work = reserve(choice.scratch.count);
        total.kernel = choice.make();
        total.inputs.resize(total.terms.size());
    }
    if (isOne || total.sum.buffer == BufferPosition::Buffer::scratch) {
        const Shape& count = total.target.count;
        unpackCopies_.push_back(
            {total.sum, target, boxCopy(count, runStrides(count), total.target.stride)});
    }
}

PieceTransfers::BufferPosition PieceTransfers::reserve(std::int64_t bytes) {
    const BufferPosition position{.offset = scratch_};
    scratch_ += (bytes + line - 1) / line * line;
    return position;
}

PieceTransfers::BufferPosition PieceTransfers::positionOf(BufferPosition::Buffer buffer,
                                                          std::size_t tensor,
                                                          const Piece& piece) const {
    return {buffer, tensor, piece.offset * static_cast<std::int64_t>(elementSize_)};
}

PieceTransfers::BufferPosition PieceTransfers::contiguousPosition(const Transfer& transfer) {
    const BufferPosition lies =
        positionOf(BufferPosition::Buffer::input, transfer.tensor, transfer.source);
    if (isRun(transfer.source)) {
        return lies;
    }
    const Shape& count = transfer.source.count;
    const BufferPosition packed = reserve(bytesOf(transfer.source));
    packCopies_.push_back(
        {lies, packed, boxCopy(count, transfer.source.stride, runStrides(count))});
    return packed;
}

std::int64_t PieceTransfers::bytesOf(const Piece& piece) const {
    return piece.elements() * static_cast<std::int64_t>(elementSize_);
}

std::byte* PieceTransfers::addressOf(const BufferPosition& position,
                                     const TransferArguments& arguments) {
    const void* begin =
        position.buffer == BufferPosition::Buffer::input    ? arguments.inputs[position.tensor]
        : position.buffer == BufferPosition::Buffer::output ? arguments.outputs[position.tensor]
                                                            : arguments.scratch;
    return const_cast<std::byte*>(static_cast<const std::byte*>(begin)) + position.offset;
}

void PieceTransfers::copy(const std::vector<Copy>& copies,
                          const TransferArguments& arguments) const {
    for (const Copy& one : copies) {
        arguments.stream->copyBox(one.box, elementSize_, addressOf(one.from, arguments),
                                  addressOf(one.to, arguments));
    }
}

void PieceTransfers::pack(const TransferArguments& arguments) {
    for (std::size_t k = 0; k < zeroCopies_.size(); ++k) {
        if (arguments.outputs[k] != nullptr) {
            arguments.stream->copyBox(zeroCopies_[k], elementSize_, zero_->address(),
                                      arguments.outputs[k]);
        }
    }
    copy(packCopies_, arguments);
}

std::span<const Message> PieceTransfers::messages(const TransferArguments& arguments) {
    for (std::size_t k = 0; k < plannedMessages_.size(); ++k) {
        messages_[k] = {plannedMessages_[k].peer,
                        addressOf(plannedMessages_[k].position, arguments),
                        plannedMessages_[k].bytes, plannedMessages_[k].isSent};
    }
    return messages_;
}

void PieceTransfers::unpack(const TransferArguments& arguments) {
    for (PieceSum& total : sums_) {
        if (total.kernel != nullptr) {
            std::ranges::transform(total.terms, total.inputs.begin(),
                                   [&](const BufferPosition& term) -> const void* {
                                       return addressOf(term, arguments);
                                   });
            void* const sum = addressOf(total.sum, arguments);
            total.kernel->run({total.inputs,
                               {&sum, 1},
                               addressOf(total.work, arguments),
                               arguments.stream,
                               Nanoseconds{}});
        }
    }
    copy(unpackCopies_, arguments);
}

} // namespace weft
