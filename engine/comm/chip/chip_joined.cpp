// SPDX-License-Identifier: Apache-2.0
#include "comm/chip/chip_joined.h"

#include "comm/reduce.h"
#include <weft/error.h>

#include <algorithm>
#include <cstring>
#include <random>

namespace weft::chip {

namespace {

constexpr std::int64_t floatBytes = 4;

/// Returns the largest number of addresses that a member offers to the others.
std::size_t mostOffersOf(const CollectiveRequest& request) {
    if (request.isAllReduce) {
        return 2 * request.elements.size();
    }
    std::vector<std::size_t> sent(request.members.size());
    for (const Transfer& transfer : request.transfers) {
        sent[static_cast<std::size_t>(transfer.from)] += transfer.to == transfer.from ? 0 : 1;
    }
    return std::ranges::max(sent);
}

/// Returns a kernel y = the sum of contiguous inputs, where y may be the first input.
std::unique_ptr<Kernel> sumKernel(std::size_t terms, std::int64_t elements,
                                  const KernelList& kernels) {
    const TensorPart part{.shape = {elements}, .begin = {0}, .whole = {elements}};
    KernelRequest request{.op = "add", .inputs = std::vector(terms, part), .outputs = {part}};
    request.mayChooseFormats = false;
    request.scratchLimit = {};
    request.inPlace = {{0, 0}};
    for (const KernelMaker& maker : kernels.of(request.op)) {
        const ChoiceOrRefusal choice = maker.choose(request);
        if (choice && choice->scratch.count == 0) {
            return choice->make();
        }
    }
    ensure(false, "devices with a communicator have a kernel that adds");
    return nullptr;
}

} // namespace

std::uint64_t thisProcess() {
    static const std::uint64_t drawn = [] {
        std::random_device source;
        return (std::uint64_t{source()} << 32U) | source();
    }();
    return drawn;
}

ChipJoined::ChipJoined(const CollectiveRequest& request, DeviceId member,
                       const CommunicatorMember& seat, bool areApart)
    : me_(static_cast<int>(std::ranges::find(request.members, member) - request.members.begin())),
      seat_(seat),
      areApart_(areApart),
      mostOffers_(mostOffersOf(request)),
      telling_(*seat.hosts, request.name + ": copy to its memory format", request.number,
               request.members, member, sizeof(Word) + mostOffers_ * sizeof(Address)),
      peers_(request.members.size()) {
    if (request.isAllReduce) {
        settleShares(request, *seat.kernels);
    }
}

void ChipJoined::settleShares(const CollectiveRequest& request, const KernelList& kernels) {
    const int count = static_cast<int>(request.members.size());
    for (const std::int64_t elements : request.elements) {
        std::vector<Share>& shares = shares_.emplace_back();
        for (int member = 0; member < count; ++member) {
            const auto [begin, end] = shareOf(elements, member, count);
            Share& share = shares.emplace_back(Share{begin, end});
            if (member == me_ && begin < end) {
                share.kernel = sumKernel(request.members.size(), end - begin, kernels);
            }
        }
    }
}

void ChipJoined::allReduce(Stream& stream, std::span<const Summed> tensors, DType dtype,
                           Reduction reduction) {
    ensure(dtype == DType::f32 && reduction == Reduction::sum,
           "workers on a GPU sum f32 values only");
    summed_.assign(tensors.begin(), tensors.end());
    std::vector<Address> offers;
    for (const Summed& tensor : summed_) {
        offers.push_back({.here = tensor.in});
        offers.push_back({.here = tensor.out});
    }
    begin(stream, offers);
}

void ChipJoined::exchange(Stream& stream, std::span<const Message> messages) {
    messages_.assign(messages.begin(), messages.end());
    std::vector<Address> offers;
    for (const Message& message : messages_) {
        if (message.isSent) {
            offers.push_back({.to = message.peer, .here = message.at});
        }
    }
    begin(stream, offers);
}

/// Records the event after which operands are ready, and sends addresses and events to the others.
void ChipJoined::begin(Stream& stream, const std::vector<Address>& offers) {
    ensure(offers.size() <= mostOffers_, "a worker offers the buffers that it announced");
    stream_ = &stream;
    Word word{.process = thisProcess()};
    for (std::size_t k = 0; k < events; ++k) {
        if (events_[k] == nullptr) {
            events_[k] = areApart_ ? seat_.device->sharing()->makeEvent() : stream.makeEvent();
        }
        word.eventsHere[k] = events_[k].get();
        if (areApart_) {
            word.handles[k] = seat_.device->sharing()->give(*events_[k]);
        }
    }
    std::byte* at = telling_.mine().data();
    std::memcpy(at, &word, sizeof(word));
    at += sizeof(word);
    for (std::size_t k = 0; k < mostOffers_; ++k, at += sizeof(Address)) {
        Address offer = k < offers.size() ? offers[k] : Address{.to = me_};
        if (areApart_ && offer.here != nullptr) {
            offer.place = seat_.device->sharing()->give(offer.here);
        }
        std::memcpy(at, &offer, sizeof(offer));
    }
    leave(Phase::ready);
}

bool ChipJoined::isThrough() {
    if (isAborted_) {
        throwStopped();
    }
    seat_.device->use();
    while (phase_ != Phase::through) {
        if (!telling_.hasFinished()) {
            return false;
        }
        switch (phase_) {
        case Phase::ready:
            readWords();
            waitForAll(Phase::ready);
            if (shares_.empty()) {
                takeMessages();
                leave(Phase::read);
            } else {
                sumShares();
                leave(Phase::summed);
            }
            break;
        case Phase::summed:
            waitForAll(Phase::summed);
            gatherShares();
            leave(Phase::read);
            break;
        case Phase::read:
            waitForAll(Phase::read);
            phase_ = Phase::through;
            break;
        case Phase::through: break;
        }
    }
    return true;
}

/// Records the event of that phase on the stream, and then notifies the others.
void ChipJoined::leave(Phase phase) {
    stream_->leave(*events_[static_cast<std::size_t>(phase)]);
    phase_ = phase;
    telling_.start();
}

void ChipJoined::readWords() {
    for (std::size_t member = 0; member < peers_.size(); ++member) {
        Peer& peer = peers_[member];
        const std::byte* at = telling_.of(member).data();
        const Word before = peer.word;
        std::memcpy(&peer.word, at, sizeof(Word));
        at += sizeof(Word);
        peer.offers.resize(mostOffers_);
        std::memcpy(peer.offers.data(), at, mostOffers_ * sizeof(Address));
        if (peer.word.process == thisProcess()) {
            continue;
        }
        for (std::size_t k = 0; k < events; ++k) {
            if (peer.taken[k] == nullptr || before.handles[k] != peer.word.handles[k]) {
                peer.taken[k] = seat_.device->sharing()->take(peer.word.handles[k]);
            }
        }
    }
}

const void* ChipJoined::reach(const Peer& peer, const Address& address) const {
    return peer.word.process == thisProcess() ? address.here
                                              : seat_.device->sharing()->take(address.place);
}

void ChipJoined::waitForAll(Phase phase) {
    const auto k = static_cast<std::size_t>(phase);
    for (std::size_t member = 0; member < peers_.size(); ++member) {
        const Peer& peer = peers_[member];
        if (static_cast<int>(member) != me_) {
            stream_->waitFor(peer.taken[k] == nullptr ? *peer.word.eventsHere[k] : *peer.taken[k]);
        }
    }
}

void ChipJoined::sumShares() {
    for (std::size_t t = 0; t < summed_.size(); ++t) {
        const Share& share = shares_[t][static_cast<std::size_t>(me_)];
        if (share.kernel == nullptr) {
            continue;
        }
        const std::int64_t offset = share.begin * floatBytes;
        // This member's term comes first, because the sum may overwrite it.
        std::vector<const void*> terms{static_cast<const std::byte*>(summed_[t].in) + offset};
        for (std::size_t member = 0; member < peers_.size(); ++member) {
            if (static_cast<int>(member) != me_) {
                const Peer& peer = peers_[member];
                terms.push_back(static_cast<const std::byte*>(reach(peer, peer.offers[2 * t])) +
                                offset);
            }
        }
        void* const sum = static_cast<std::byte*>(summed_[t].out) + offset;
        share.kernel->run({terms, {&sum, 1}, nullptr, stream_, Nanoseconds{}});
    }
}

void ChipJoined::gatherShares() {
    for (std::size_t t = 0; t < summed_.size(); ++t) {
        for (std::size_t member = 0; member < peers_.size(); ++member) {
            const Share& share = shares_[t][member];
            if (static_cast<int>(member) == me_ || share.begin == share.end) {
                continue;
            }
            const Peer& peer = peers_[member];
            const std::int64_t offset = share.begin * floatBytes;
            const auto* const made =
                static_cast<const std::byte*>(reach(peer, peer.offers[2 * t + 1]));
            copy(made + offset, static_cast<std::byte*>(summed_[t].out) + offset,
                 (share.end - share.begin) * floatBytes);
        }
    }
}

void ChipJoined::takeMessages() {
    std::vector<std::size_t> next(peers_.size(), 0); ///< next offer of each peer
    for (const Message& message : messages_) {
        if (message.isSent) {
            continue;
        }
        const auto from = static_cast<std::size_t>(message.peer);
        const Peer& peer = peers_[from];
        while (next[from] < peer.offers.size() && peer.offers[next[from]].to != me_) {
            ++next[from];
        }
        ensure(next[from] < peer.offers.size(), "two workers agree on the messages between them");
        copy(reach(peer, peer.offers[next[from]++]), message.at, message.bytes);
    }
}

void ChipJoined::copy(const void* from, void* to, std::int64_t bytes) const {
    const std::int64_t size = bytes % floatBytes == 0 ? floatBytes : 1;
    stream_->copyBox(boxCopy({bytes / size}, {1}, {1}), static_cast<std::size_t>(size), from, to);
}

} // namespace weft::chip
