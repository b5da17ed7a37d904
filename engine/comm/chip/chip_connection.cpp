// SPDX-License-Identifier: Apache-2.0
#include "comm/chip/chip_connection.h"

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

ChipConnection::ChipConnection(const CollectiveRequest& request, DeviceId member,
                               const CommunicatorSetup& setup, bool isAcrossProcesses)
    : position_(
          static_cast<int>(std::ranges::find(request.members, member) - request.members.begin())),
      setup_(setup),
      isAcrossProcesses_(isAcrossProcesses),
      maxOffers_(mostOffersOf(request)),
      hostExchange_(*setup.hosts, request.name + ": copy to its memory format", request.number,
                    request.members, member, sizeof(Announcement) + maxOffers_ * sizeof(Address)),
      peers_(request.members.size()) {
    if (request.isAllReduce) {
        planShares(request, *setup.kernels);
    }
}

void ChipConnection::planShares(const CollectiveRequest& request, const KernelList& kernels) {
    const int count = static_cast<int>(request.members.size());
    for (const std::int64_t elements : request.elements) {
        std::vector<Share>& shares = shares_.emplace_back();
        for (int member = 0; member < count; ++member) {
            const auto [begin, end] = shareOf(elements, member, count);
            Share& share = shares.emplace_back(Share{begin, end});
            if (member == position_ && begin < end) {
                share.kernel = sumKernel(request.members.size(), end - begin, kernels);
            }
        }
    }
}

void ChipConnection::allReduce(Stream& stream, std::span<const ReducedTensor> tensors, DType dtype,
                               Reduction reduction) {
    ensure(dtype == DType::f32 && reduction == Reduction::sum,
           "workers on a GPU sum f32 values only");
    tensors_.assign(tensors.begin(), tensors.end());
    std::vector<Address> offers;
    for (const ReducedTensor& tensor : tensors_) {
        offers.push_back({.localAddress = tensor.in});
        offers.push_back({.localAddress = tensor.out});
    }
    begin(stream, offers);
}

void ChipConnection::exchange(Stream& stream, std::span<const Message> messages) {
    messages_.assign(messages.begin(), messages.end());
    std::vector<Address> offers;
    for (const Message& message : messages_) {
        if (message.isSent) {
            offers.push_back({.to = message.peer, .localAddress = message.address});
        }
    }
    begin(stream, offers);
}

/// Records the event after which operands are ready, and sends addresses and events to the others.
void ChipConnection::begin(Stream& stream, const std::vector<Address>& offers) {
    ensure(offers.size() <= maxOffers_, "a worker offers the buffers that it announced");
    stream_ = &stream;
    Announcement announcement{.process = thisProcess()};
    for (std::size_t k = 0; k < eventCount; ++k) {
        if (events_[k] == nullptr) {
            events_[k] =
                isAcrossProcesses_ ? setup_.device->sharing()->makeEvent() : stream.makeEvent();
        }
        announcement.localEvents[k] = events_[k].get();
        if (isAcrossProcesses_) {
            announcement.handles[k] = setup_.device->sharing()->give(*events_[k]);
        }
    }
    std::byte* at = hostExchange_.mine().data();
    std::memcpy(at, &announcement, sizeof(announcement));
    at += sizeof(announcement);
    for (std::size_t k = 0; k < maxOffers_; ++k, at += sizeof(Address)) {
        Address offer = k < offers.size() ? offers[k] : Address{.to = position_};
        if (isAcrossProcesses_ && offer.localAddress != nullptr) {
            offer.place = setup_.device->sharing()->give(offer.localAddress);
        }
        std::memcpy(at, &offer, sizeof(offer));
    }
    announce(Phase::operandsReady);
}

bool ChipConnection::isCallDone() {
    if (isAborted_) {
        throwStopped();
    }
    setup_.device->use();
    while (phase_ != Phase::finished) {
        if (!hostExchange_.hasFinished()) {
            return false;
        }
        switch (phase_) {
        case Phase::operandsReady:
            readAnnouncements();
            waitForAll(Phase::operandsReady);
            if (shares_.empty()) {
                copyMessages();
                announce(Phase::memoryRead);
            } else {
                sumShares();
                announce(Phase::sharesSummed);
            }
            break;
        case Phase::sharesSummed:
            waitForAll(Phase::sharesSummed);
            gatherShares();
            announce(Phase::memoryRead);
            break;
        case Phase::memoryRead:
            waitForAll(Phase::memoryRead);
            phase_ = Phase::finished;
            break;
        case Phase::finished: break;
        }
    }
    return true;
}

/// Records the event of that phase on the stream, and then notifies the others.
void ChipConnection::announce(Phase phase) {
    stream_->leave(*events_[static_cast<std::size_t>(phase)]);
    phase_ = phase;
    hostExchange_.start();
}

void ChipConnection::readAnnouncements() {
    for (std::size_t member = 0; member < peers_.size(); ++member) {
        Peer& peer = peers_[member];
        const std::byte* at = hostExchange_.bytesOf(member).data();
        const Announcement before = peer.announcement;
        std::memcpy(&peer.announcement, at, sizeof(Announcement));
        at += sizeof(Announcement);
        peer.offers.resize(maxOffers_);
        std::memcpy(peer.offers.data(), at, maxOffers_ * sizeof(Address));
        if (peer.announcement.process == thisProcess()) {
            continue;
        }
        for (std::size_t k = 0; k < eventCount; ++k) {
            if (peer.openedEvents[k] == nullptr ||
                before.handles[k] != peer.announcement.handles[k]) {
                peer.openedEvents[k] = setup_.device->sharing()->take(peer.announcement.handles[k]);
            }
        }
    }
}

const void* ChipConnection::mappedAddress(const Peer& peer, const Address& address) const {
    return peer.announcement.process == thisProcess()
               ? address.localAddress
               : setup_.device->sharing()->take(address.place);
}

void ChipConnection::waitForAll(Phase phase) {
    const auto k = static_cast<std::size_t>(phase);
    for (std::size_t member = 0; member < peers_.size(); ++member) {
        const Peer& peer = peers_[member];
        if (static_cast<int>(member) != position_) {
            stream_->waitFor(peer.openedEvents[k] == nullptr ? *peer.announcement.localEvents[k]
                                                             : *peer.openedEvents[k]);
        }
    }
}

void ChipConnection::sumShares() {
    for (std::size_t t = 0; t < tensors_.size(); ++t) {
        const Share& share = shares_[t][static_cast<std::size_t>(position_)];
        if (share.kernel == nullptr) {
            continue;
        }
        const std::int64_t offset = share.begin * floatBytes;
        // This member's term comes first, because the sum may overwrite it.
        std::vector<const void*> terms{static_cast<const std::byte*>(tensors_[t].in) + offset};
        for (std::size_t member = 0; member < peers_.size(); ++member) {
            if (static_cast<int>(member) != position_) {
                const Peer& peer = peers_[member];
                terms.push_back(
                    static_cast<const std::byte*>(mappedAddress(peer, peer.offers[2 * t])) +
                    offset);
            }
        }
        void* const sum = static_cast<std::byte*>(tensors_[t].out) + offset;
        share.kernel->run({terms, {&sum, 1}, nullptr, stream_, Nanoseconds{}});
    }
}

void ChipConnection::gatherShares() {
    for (std::size_t t = 0; t < tensors_.size(); ++t) {
        for (std::size_t member = 0; member < peers_.size(); ++member) {
            const Share& share = shares_[t][member];
            if (static_cast<int>(member) == position_ || share.begin == share.end) {
                continue;
            }
            const Peer& peer = peers_[member];
            const std::int64_t offset = share.begin * floatBytes;
            const auto* const made =
                static_cast<const std::byte*>(mappedAddress(peer, peer.offers[2 * t + 1]));
            copy(made + offset, static_cast<std::byte*>(tensors_[t].out) + offset,
                 (share.end - share.begin) * floatBytes);
        }
    }
}

void ChipConnection::copyMessages() {
    std::vector<std::size_t> next(peers_.size(), 0); ///< next offer of each peer
    for (const Message& message : messages_) {
        if (message.isSent) {
            continue;
        }
        const auto from = static_cast<std::size_t>(message.peer);
        const Peer& peer = peers_[from];
        while (next[from] < peer.offers.size() && peer.offers[next[from]].to != position_) {
            ++next[from];
        }
        ensure(next[from] < peer.offers.size(), "two workers agree on the messages between them");
        copy(mappedAddress(peer, peer.offers[next[from]++]), message.address, message.bytes);
    }
}

void ChipConnection::copy(const void* from, void* to, std::int64_t bytes) const {
    const std::int64_t size = bytes % floatBytes == 0 ? floatBytes : 1;
    stream_->copyBox(boxCopy({bytes / size}, {1}, {1}), static_cast<std::size_t>(size), from, to);
}

} // namespace weft::chip
