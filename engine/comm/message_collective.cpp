// SPDX-License-Identifier: Apache-2.0
#include "comm/message_collective.h"

#include "comm/arrival_record.h"
#include "comm/reduce.h"
#include <weft/error.h>

#include <algorithm>
#include <cstring>
#include <span>

namespace weft {

namespace {

/// From this number of bytes on, a share is sent from and received in place, without packing.
constexpr std::int64_t largeShare = std::int64_t{1} << 16;
/// Up to this number of bytes two members exchange everything and both sum, which sends as many
/// elements as reduce-scatter and all-gather, in one round instead of two.
constexpr std::int64_t littleOfTwo = std::int64_t{1} << 14;
/// On one host MPI transfers a larger message only when its receiver has arrived, so its arrival
/// does not show when the sender came. For larger messages both members first send empty notes.
constexpr std::int64_t movesAtOnce = std::int64_t{1} << 12;

/// A message between this member and a peer in one phase: packed shares, or one large share.
struct Parcel {
    int peer = 0;
    std::vector<std::byte> bytes;
    std::span<const std::byte> from = {}; ///< a large share's tensor, used instead of `bytes`
    std::span<std::byte> to = {};
    bool isPacked = true;
    PostTicket ticket = -1;
    bool isUnderWay = false;
};

/// A member's share of one tensor, and the parcel that carries it.
struct Share {
    std::size_t tensor = 0;
    std::int64_t begin = 0; ///< bytes
    std::int64_t size = 0;
    std::size_t parcel = 0;
    std::int64_t offset = 0; ///< in the parcel
};

/// One direction of one phase of an all-reduce.
struct Exchange {
    std::vector<Parcel> parcels;
    std::vector<Share> shares; ///< ordered by peer, then by tensor
};

/// The place of a transfer's elements in a parcel.
struct Packed {
    std::size_t transfer = 0;
    std::size_t parcel = 0; ///< index in the incoming or outgoing parcels; unused if isOwn
    std::int64_t offset = 0;
    bool isOwn = false;
};

class MessageCollective final : public Collective {
public:
    MessageCollective(const CollectiveRequest& request, int me, Postbox& postbox,
                      std::uint32_t sequence, const std::atomic<bool>& aborted)
        : request_(request),
          me_(me),
          postbox_(postbox),
          tag_(sequence * 2),
          aborted_(aborted),
          size_(static_cast<std::int64_t>(byteSize(request.dtype))),
          isThere_(request.members.size()) {
        request_.isAllReduce ? planAllReduce() : planTransfers();
        inputs_.resize(request.inputBytes[static_cast<std::size_t>(me)].size());
        outputs_.resize(request.outputBytes[static_cast<std::size_t>(me)].size());
        covers_ = request.isAllReduce || coversOutputs(request, me);
        planNotes();
    }

    void start(std::span<const void* const> inputs, std::span<void* const> outputs,
               Stream* /*stream*/) override {
        std::ranges::copy(inputs, inputs_.begin());
        std::ranges::copy(outputs, outputs_.begin());
        if (!covers_) {
            for (std::size_t k = 0; k < outputs_.size(); ++k) {
                if (outputs_[k] != nullptr) {
                    std::memset(outputs_[k], 0,
                                request_.outputBytes[static_cast<std::size_t>(me_)][k]);
                }
            }
        }
        sent_ += sentPerCall_;
        phase_ = 0;
        arrivalRecord_.begin();
        receiveAll(notesIn_, tag_);
        sendAll(notesOut_, tag_);
        receiveAll(incoming_.parcels, tag_);
        for (const Packed& packed : outgoingPieces_) {
            packInto(packed);
        }
        pack(outgoing_, inputs_);
        sendAll(outgoing_.parcels, tag_);
    }

    bool hasFinished() override {
        if (aborted_.load(std::memory_order_acquire)) {
            throw Error(ErrorCode::stopped, Where{.op = request_.name},
                        "the run was ended while this operation was waiting",
                        "look at the first failure of the run");
        }
        if (phase_ == 0) {
            const bool haveCome = haveArrived(notesIn_) && haveEnded(notesOut_);
            const bool isAllHere = haveArrived(incoming_.parcels);
            arrivalRecord_.look([this] { return arePartnersThere(); });
            if (!haveCome || !isAllHere || !haveEnded(outgoing_.parcels)) {
                return false;
            }
            phase_ = 1;
            if (!request_.isAllReduce) {
                unpack();
                return true;
            }
            reduceShare();
            for (const Share& share : gathered_.shares) {
                Parcel& parcel = gathered_.parcels[share.parcel];
                if (!parcel.isPacked) {
                    parcel.to = {static_cast<std::byte*>(outputs_[share.tensor]) + share.begin,
                                 static_cast<std::size_t>(share.size)};
                }
            }
            receiveAll(gathered_.parcels, tag_ + 1);
            pack(shares_, outputs_);
            sendAll(shares_.parcels, tag_ + 1);
        }
        if (!request_.isAllReduce || phase_ == 2) {
            return true;
        }
        if (!haveArrived(gathered_.parcels) || !haveEnded(shares_.parcels)) {
            return false;
        }
        spreadShares();
        phase_ = 2;
        return true;
    }

    [[nodiscard]] std::vector<DeviceId> arrived() const override {
        std::vector<DeviceId> there;
        for (int member = 0; member < count(); ++member) {
            if (member == me_ || isThere_[static_cast<std::size_t>(member)].load()) {
                there.push_back(device(member));
            }
        }
        return there;
    }

    [[nodiscard]] std::int64_t met() const override { return arrivalRecord_.met(); }

    [[nodiscard]] std::span<const DeviceId> members() const override { return request_.members; }

    [[nodiscard]] std::int64_t elementsSent() const override { return sent_; }

private:
    [[nodiscard]] DeviceId device(int member) const {
        return request_.members[static_cast<std::size_t>(member)];
    }
    [[nodiscard]] int count() const { return static_cast<int>(request_.members.size()); }

    static std::size_t parcelFor(std::vector<Parcel>& parcels, int peer) {
        const auto found = std::ranges::find_if(
            parcels, [&](const Parcel& parcel) { return parcel.isPacked && parcel.peer == peer; });
        if (found != parcels.end()) {
            return static_cast<std::size_t>(found - parcels.begin());
        }
        parcels.push_back({.peer = peer});
        return parcels.size() - 1;
    }

    /// Grows the parcel by this number of elements. Returns where they begin, in bytes.
    std::int64_t grow(std::vector<Parcel>& parcels, std::size_t parcel,
                      std::int64_t elements) const {
        const std::size_t begin = parcels[parcel].bytes.size();
        parcels[parcel].bytes.resize(begin + static_cast<std::size_t>(elements * size_));
        return static_cast<std::int64_t>(begin);
    }

    void planTransfers() {
        for (std::size_t k = 0; k < request_.transfers.size(); ++k) {
            const Transfer& transfer = request_.transfers[k];
            const bool isOwn = transfer.from == me_ && transfer.to == me_;
            if (isOwn) {
                incomingPieces_.push_back({k, 0, 0, true});
            } else if (transfer.to == me_) {
                const std::size_t parcel = parcelFor(incoming_.parcels, transfer.from);
                incomingPieces_.push_back(
                    {k, parcel, grow(incoming_.parcels, parcel, transfer.source.elements()),
                     false});
            } else if (transfer.from == me_) {
                const std::size_t parcel = parcelFor(outgoing_.parcels, transfer.to);
                outgoingPieces_.push_back(
                    {k, parcel, grow(outgoing_.parcels, parcel, transfer.source.elements()),
                     false});
                sentPerCall_ += transfer.source.elements();
            }
        }
    }

    void planAllReduce() {
        sums_.resize(static_cast<std::size_t>(count()));
        std::int64_t mine = 0;
        std::int64_t all = 0;
        for (const std::int64_t elements : request_.elements) {
            const auto [begin, end] = shareOf(elements, me_, count());
            mine += end - begin;
            all += elements;
        }
        sentPerCall_ = all - mine + (count() - 1) * mine;
        isSummedByBoth_ = count() == 2 && all * size_ <= littleOfTwo;
        if (isSummedByBoth_) {
            addShares(incoming_, 1 - me_, me_, false);
            addShares(outgoing_, 1 - me_, 1 - me_, true);
            return;
        }
        for (int peer = 0; peer < count(); ++peer) {
            if (peer == me_) {
                continue;
            }
            // Shares that arrive to be summed need separate memory.
            addShares(incoming_, peer, me_, false);
            addShares(outgoing_, peer, peer, true);
            addShares(gathered_, peer, peer, true);
            addShares(shares_, peer, me_, true);
        }
    }

    /// Plans the messages of the first phase between this member and every other; both sides
    /// compute the same plan.
    void planNotes() {
        std::vector<std::int64_t> largest(request_.members.size(), 0);
        for (const Exchange* way : {&incoming_, &outgoing_}) {
            std::vector<std::int64_t> bytes(largest.size(), 0);
            for (const Parcel& parcel : way->parcels) {
                bytes[static_cast<std::size_t>(parcel.peer)] += std::ssize(parcel.bytes);
            }
            for (const Share& share : way->shares) {
                const Parcel& parcel = way->parcels[share.parcel];
                bytes[static_cast<std::size_t>(parcel.peer)] +=
                    parcel.bytes.empty() ? share.size : 0;
            }
            std::ranges::transform(bytes, largest, largest.begin(), std::ranges::max);
        }
        for (int peer = 0; peer < count(); ++peer) {
            if (peer != me_ && largest[static_cast<std::size_t>(peer)] > movesAtOnce) {
                notesIn_.push_back({.peer = peer});
                notesOut_.push_back({.peer = peer});
            }
        }
    }

    /// True if a note or parcel has arrived from all peers that send one.
    [[nodiscard]] bool arePartnersThere() const {
        const auto isThere = [this](const Parcel& parcel) {
            return isThere_[static_cast<std::size_t>(parcel.peer)].load(std::memory_order_relaxed);
        };
        return std::ranges::all_of(notesIn_, isThere) &&
               std::ranges::all_of(incoming_.parcels, isThere);
    }

    /// Returns the elements of a tensor that a member sums.
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> summedBy(int member,
                                                                 std::int64_t elements) const {
        return isSummedByBoth_ ? std::pair<std::int64_t, std::int64_t>{0, elements}
                               : shareOf(elements, member, count());
    }

    /// Adds `member`'s shares of all tensors, to or from `peer`; both sides have the same order.
    /// With `isInTensors` large shares are transferred directly between the tensors.
    void addShares(Exchange& exchange, int peer, int member, bool isInTensors) const {
        const std::size_t before = exchange.parcels.size();
        for (std::size_t tensor = 0; tensor < request_.elements.size(); ++tensor) {
            const auto [begin, end] = summedBy(member, request_.elements[tensor]);
            const std::int64_t size = (end - begin) * size_;
            if (size == 0) {
                continue;
            }
            Share share{tensor, begin * size_, size, exchange.parcels.size(), 0};
            if (size >= largeShare) {
                exchange.parcels.push_back({.peer = peer, .isPacked = false});
                if (!isInTensors) {
                    exchange.parcels.back().bytes.resize(static_cast<std::size_t>(size));
                }
            } else {
                share.parcel = parcelFor(exchange.parcels, peer);
                share.offset = grow(exchange.parcels, share.parcel, end - begin);
            }
            exchange.shares.push_back(share);
        }
        if (exchange.parcels.size() == before) {
            // An empty parcel tells the peer that this member has arrived.
            static_cast<void>(parcelFor(exchange.parcels, peer));
        }
    }

    /// Packs small shares into their parcels; large shares are sent from their tensors.
    template <class Pointer>
    static void pack(Exchange& exchange, const std::vector<Pointer>& tensors) {
        for (const Share& share : exchange.shares) {
            Parcel& parcel = exchange.parcels[share.parcel];
            const auto* from = static_cast<const std::byte*>(tensors[share.tensor]) + share.begin;
            if (parcel.isPacked) {
                std::memcpy(parcel.bytes.data() + share.offset, from,
                            static_cast<std::size_t>(share.size));
            } else {
                parcel.from = {from, static_cast<std::size_t>(share.size)};
            }
        }
    }

    void packInto(const Packed& packed) {
        const Transfer& transfer = request_.transfers[packed.transfer];
        movePiece(request_.dtype, Reduction::none, true, inputs_[transfer.tensor], transfer.source,
                  outgoing_.parcels[packed.parcel].bytes.data() + packed.offset,
                  contiguous(transfer.source));
    }

    static Piece contiguous(const Piece& piece) {
        Piece packed = piece;
        packed.offset = 0;
        std::int64_t step = 1;
        for (std::size_t k = packed.count.size(); k-- > 0;) {
            packed.stride[k] = step;
            step *= packed.count[k];
        }
        return packed;
    }

    void unpack() {
        for (const Packed& packed : incomingPieces_) {
            const Transfer& transfer = request_.transfers[packed.transfer];
            void* out = outputs_[transfer.tensor];
            if (packed.isOwn) {
                movePiece(request_.dtype, transfer.reduction, transfer.first,
                          inputs_[transfer.tensor], transfer.source, out, transfer.target);
            } else {
                movePiece(request_.dtype, transfer.reduction, transfer.first,
                          incoming_.parcels[packed.parcel].bytes.data() + packed.offset,
                          contiguous(transfer.source), out, transfer.target);
            }
        }
    }

    void reduceShare() {
        // Each peer sent one part of every share that this member sums, so all sent equally many.
        const auto perPeer = incoming_.shares.size() / std::max<std::size_t>(sums_.size() - 1, 1);
        std::size_t nth = 0;
        for (std::size_t tensor = 0; tensor < request_.elements.size(); ++tensor) {
            const auto [begin, end] = summedBy(me_, request_.elements[tensor]);
            if (begin == end) {
                continue;
            }
            std::size_t at = nth;
            for (int member = 0; member < count(); ++member) {
                const void*& part = sums_[static_cast<std::size_t>(member)];
                if (member == me_) {
                    part = static_cast<const std::byte*>(inputs_[tensor]) + begin * size_;
                    continue;
                }
                const Share& share = incoming_.shares[at];
                part = incoming_.parcels[share.parcel].bytes.data() + share.offset;
                at += perPeer;
            }
            reduceInOrder(request_.dtype, request_.reduction, sums_,
                          static_cast<std::byte*>(outputs_[tensor]) + begin * size_, 0,
                          end - begin);
            ++nth;
        }
    }

    void spreadShares() {
        for (const Share& share : gathered_.shares) {
            const Parcel& parcel = gathered_.parcels[share.parcel];
            if (parcel.isPacked) {
                std::memcpy(static_cast<std::byte*>(outputs_[share.tensor]) + share.begin,
                            parcel.bytes.data() + share.offset,
                            static_cast<std::size_t>(share.size));
            }
        }
    }

    void receiveAll(std::vector<Parcel>& parcels, std::uint32_t tag) {
        for (Parcel& parcel : parcels) {
            isThere_[static_cast<std::size_t>(parcel.peer)].store(false);
            parcel.ticket =
                postbox_.receive(device(parcel.peer), device(me_), tag,
                                 parcel.to.empty() ? std::span(parcel.bytes) : parcel.to);
            parcel.isUnderWay = true;
        }
    }

    void sendAll(std::vector<Parcel>& parcels, std::uint32_t tag) {
        for (Parcel& parcel : parcels) {
            parcel.ticket = postbox_.send(
                device(me_), device(parcel.peer), tag,
                parcel.from.empty() ? std::span<const std::byte>(parcel.bytes) : parcel.from);
            parcel.isUnderWay = true;
        }
    }

    bool haveEnded(std::vector<Parcel>& parcels) {
        bool all = true;
        for (Parcel& parcel : parcels) {
            if (parcel.isUnderWay && postbox_.hasEnded(parcel.ticket)) {
                parcel.isUnderWay = false;
            }
            all = all && !parcel.isUnderWay;
        }
        return all;
    }

    /// Marks senders of received parcels as arrived.
    bool haveArrived(std::vector<Parcel>& parcels) {
        const bool all = haveEnded(parcels);
        for (const Parcel& parcel : parcels) {
            if (!parcel.isUnderWay) {
                isThere_[static_cast<std::size_t>(parcel.peer)].store(true,
                                                                      std::memory_order_relaxed);
            }
        }
        return all;
    }

    CollectiveRequest request_;
    int me_;
    Postbox& postbox_;
    std::uint32_t tag_;
    const std::atomic<bool>& aborted_;
    std::int64_t size_;
    std::vector<std::atomic<bool>> isThere_; ///< per member; read by any thread
    bool covers_ = true;
    bool isSummedByBoth_ = false;
    std::vector<const void*> inputs_;
    std::vector<void*> outputs_;
    ArrivalRecord arrivalRecord_;
    std::vector<Parcel> notesIn_; ///< empty messages, before all others
    std::vector<Parcel> notesOut_;
    Exchange incoming_;
    Exchange outgoing_;
    Exchange gathered_; ///< reduced shares of the other members
    Exchange shares_;   ///< this member's reduced shares, for each of them
    std::vector<Packed> incomingPieces_;
    std::vector<Packed> outgoingPieces_;
    std::vector<const void*> sums_;
    int phase_ = 0;
    std::int64_t sentPerCall_ = 0;
    std::int64_t sent_ = 0;
};

} // namespace

std::unique_ptr<Collective> makeMessageCollective(const CollectiveRequest& request, DeviceId member,
                                                  Postbox& postbox, std::uint32_t sequence,
                                                  const std::atomic<bool>& aborted) {
    const auto found = std::ranges::find(request.members, member);
    ensure(found != request.members.end(),
           "a worker takes part in every collective that it prepares");
    return std::make_unique<MessageCollective>(
        request, static_cast<int>(found - request.members.begin()), postbox, sequence, aborted);
}

} // namespace weft
