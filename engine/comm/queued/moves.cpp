// SPDX-License-Identifier: Apache-2.0
#include "comm/queued/moves.h"

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

Moves::Moves(const CollectiveRequest& request, int me, const KernelList& kernels, Device& device)
    : elementSize_(byteSize(request.dtype)) {
    const auto& outputs = request.outputBytes[static_cast<std::size_t>(me)];
    if (!outputs.empty() && !coversOutputs(request, me)) {
        zero_ = device.allocate({static_cast<std::int64_t>(elementSize_)});
        for (const std::size_t bytes : outputs) {
            clears_.push_back(boxCopy({static_cast<std::int64_t>(bytes / elementSize_)}, {0}, {1}));
        }
    }
    for (const Transfer& transfer : request.transfers) {
        if (transfer.from == me && transfer.to != me) {
            addOutgoing(transfer);
        } else if (transfer.to == me) {
            addIncoming(transfer, transfer.from == me);
        }
    }
    for (Total& total : totals_) {
        settle(total, kernels);
    }
    messages_.resize(ways_.size());
}

void Moves::addOutgoing(const Transfer& transfer) {
    ways_.push_back({transfer.to, asRun(transfer), bytesOf(transfer.source), true});
    sent_ += transfer.source.elements();
}

void Moves::addIncoming(const Transfer& transfer, bool isOwn) {
    const Place target = placeOf(Place::In::output, transfer.tensor, transfer.target);
    const bool isSummed = transfer.reduction != Reduction::none;
    if (isOwn && isSummed) {
        addTerm(transfer, asRun(transfer));
        return;
    }
    if (isOwn) {
        unpacks_.push_back(
            {placeOf(Place::In::input, transfer.tensor, transfer.source), target,
             boxCopy(transfer.source.count, transfer.source.stride, transfer.target.stride)});
        return;
    }
    const std::int64_t bytes = bytesOf(transfer.target);
    const Place comes = isRun(transfer.target) && !isSummed ? target : reserve(bytes);
    ways_.push_back({transfer.from, comes, bytes, false});
    if (isSummed) {
        addTerm(transfer, comes);
    } else if (comes.in == Place::In::scratch) {
        const Shape& count = transfer.target.count;
        unpacks_.push_back(
            {comes, target, boxCopy(count, runStrides(count), transfer.target.stride)});
    }
}

void Moves::addTerm(const Transfer& transfer, const Place& term) {
    const auto known = std::ranges::find_if(totals_, [&](const Total& total) {
        return total.tensor == transfer.tensor && total.target == transfer.target;
    });
    Total& total = known != totals_.end()
                       ? *known
                       : totals_.emplace_back(Total{
                             .tensor = transfer.tensor, .target = transfer.target, .terms = {}});
    total.terms.push_back(term);
}

void Moves::settle(Total& total, const KernelList& kernels) {
    const Place target = placeOf(Place::In::output, total.tensor, total.target);
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
    if (isOne || total.sum.in == Place::In::scratch) {
        const Shape& count = total.target.count;
        unpacks_.push_back(
            {total.sum, target, boxCopy(count, runStrides(count), total.target.stride)});
    }
}

Moves::Place Moves::reserve(std::int64_t bytes) {
    const Place place{.offset = scratch_};
    scratch_ += (bytes + line - 1) / line * line;
    return place;
}

Moves::Place Moves::placeOf(Place::In in, std::size_t tensor, const Piece& piece) const {
    return {in, tensor, piece.offset * static_cast<std::int64_t>(elementSize_)};
}

Moves::Place Moves::asRun(const Transfer& transfer) {
    const Place lies = placeOf(Place::In::input, transfer.tensor, transfer.source);
    if (isRun(transfer.source)) {
        return lies;
    }
    const Shape& count = transfer.source.count;
    const Place packed = reserve(bytesOf(transfer.source));
    packs_.push_back({lies, packed, boxCopy(count, transfer.source.stride, runStrides(count))});
    return packed;
}

std::int64_t Moves::bytesOf(const Piece& piece) const {
    return piece.elements() * static_cast<std::int64_t>(elementSize_);
}

std::byte* Moves::addressOf(const Place& place, const MoveArguments& arguments) {
    const void* begin = place.in == Place::In::input    ? arguments.inputs[place.tensor]
                        : place.in == Place::In::output ? arguments.outputs[place.tensor]
                                                        : arguments.scratch;
    return const_cast<std::byte*>(static_cast<const std::byte*>(begin)) + place.offset;
}

void Moves::copy(const std::vector<Copy>& copies, const MoveArguments& arguments) const {
    for (const Copy& one : copies) {
        arguments.stream->copyBox(one.box, elementSize_, addressOf(one.from, arguments),
                                  addressOf(one.to, arguments));
    }
}

void Moves::pack(const MoveArguments& arguments) {
    for (std::size_t k = 0; k < clears_.size(); ++k) {
        if (arguments.outputs[k] != nullptr) {
            arguments.stream->copyBox(clears_[k], elementSize_, zero_->address(),
                                      arguments.outputs[k]);
        }
    }
    copy(packs_, arguments);
}

std::span<const Message> Moves::messages(const MoveArguments& arguments) {
    for (std::size_t k = 0; k < ways_.size(); ++k) {
        messages_[k] = {ways_[k].peer, addressOf(ways_[k].place, arguments), ways_[k].bytes,
                        ways_[k].isSent};
    }
    return messages_;
}

void Moves::unpack(const MoveArguments& arguments) {
    for (Total& total : totals_) {
        if (total.kernel != nullptr) {
            std::ranges::transform(
                total.terms, total.inputs.begin(),
                [&](const Place& term) -> const void* { return addressOf(term, arguments); });
            void* const sum = addressOf(total.sum, arguments);
            total.kernel->run({total.inputs,
                               {&sum, 1},
                               addressOf(total.work, arguments),
                               arguments.stream,
                               Nanoseconds{}});
        }
    }
    copy(unpacks_, arguments);
}

} // namespace weft
