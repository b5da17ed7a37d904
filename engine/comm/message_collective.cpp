// SPDX-License-Identifier: Apache-2.0
#include "comm/message_collective.h"

#include "comm/reduce.h"
#include <weft/error.h>

#include <algorithm>
#include <cstring>

namespace weft {

namespace {

/// What goes between this member and one peer in one phase: one message, packed.
struct Parcel {
    int peer = 0;
    std::vector<std::byte> bytes;
    PostTicket ticket = -1;
    bool isUnderWay = false;
};

/// Where in a parcel a transfer's elements lie.
struct Packed {
    std::size_t transfer = 0;
    std::size_t parcel = 0; ///< of the incoming or outgoing list; own: none
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
    }

    void start(std::span<const void* const> inputs, std::span<void* const> outputs) override {
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
        receiveAll(incoming_, tag_);
        for (const Packed& packed : outgoingPieces_) {
            packInto(packed);
        }
        sendAll(outgoing_, tag_);
    }

    bool hasFinished() override {
        if (aborted_.load(std::memory_order_acquire)) {
            throw Error(ErrorCode::stopped, Where{.op = request_.name},
                        "the run was ended while waiting here", "see the first failure of the run");
        }
        if (phase_ == 0) {
            if (!haveArrived(incoming_) || !haveEnded(outgoing_)) {
                return false;
            }
            phase_ = 1;
            if (!request_.isAllReduce) {
                unpack();
                return true;
            }
            reduceShare();
            receiveAll(gathered_, tag_ + 1);
            sendAll(shares_, tag_ + 1);
        }
        if (!request_.isAllReduce || phase_ == 2) {
            return true;
        }
        if (!haveArrived(gathered_) || !haveEnded(shares_)) {
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

    [[nodiscard]] std::span<const DeviceId> members() const override { return request_.members; }

    [[nodiscard]] std::int64_t elementsSent() const override { return sent_; }

private:
    [[nodiscard]] DeviceId device(int member) const {
        return request_.members[static_cast<std::size_t>(member)];
    }
    [[nodiscard]] int count() const { return static_cast<int>(request_.members.size()); }

    static std::size_t parcelFor(std::vector<Parcel>& parcels, int peer) {
        const auto found = std::ranges::find(parcels, peer, &Parcel::peer);
        if (found != parcels.end()) {
            return static_cast<std::size_t>(found - parcels.begin());
        }
        parcels.push_back({peer, {}, -1, false});
        return parcels.size() - 1;
    }

    /// Grows the parcel by so many elements; returns where they begin, in bytes.
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
                const std::size_t parcel = parcelFor(incoming_, transfer.from);
                incomingPieces_.push_back(
                    {k, parcel, grow(incoming_, parcel, transfer.source.elements()), false});
            } else if (transfer.from == me_) {
                const std::size_t parcel = parcelFor(outgoing_, transfer.to);
                outgoingPieces_.push_back(
                    {k, parcel, grow(outgoing_, parcel, transfer.source.elements()), false});
                sentPerCall_ += transfer.source.elements();
            }
        }
    }

    void planAllReduce() {
        sums_.resize(static_cast<std::size_t>(count()));
        std::int64_t mine = 0;
        std::int64_t others = 0;
        for (const std::int64_t elements : request_.elements) {
            const auto [begin, end] = shareOf(elements, me_, count());
            mine += end - begin;
            others += elements - (end - begin);
        }
        for (int peer = 0; peer < count(); ++peer) {
            if (peer == me_) {
                continue;
            }
            std::int64_t theirs = 0;
            for (const std::int64_t elements : request_.elements) {
                const auto [begin, end] = shareOf(elements, peer, count());
                theirs += end - begin;
            }
            grow(incoming_, parcelFor(incoming_, peer), mine);
            grow(outgoing_, parcelFor(outgoing_, peer), theirs);
            grow(gathered_, parcelFor(gathered_, peer), theirs);
            grow(shares_, parcelFor(shares_, peer), mine);
        }
        sentPerCall_ = others + (count() - 1) * mine;
    }

    void packInto(const Packed& packed) {
        const Transfer& transfer = request_.transfers[packed.transfer];
        movePiece(request_.dtype, Reduction::none, true, inputs_[transfer.tensor], transfer.source,
                  outgoing_[packed.parcel].bytes.data() + packed.offset,
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
                          incoming_[packed.parcel].bytes.data() + packed.offset,
                          contiguous(transfer.source), out, transfer.target);
            }
        }
    }

    /// Copies the peers' shares of all tensors between a parcel and the tensors.
    template <class Copy>
    void forEachShare(int member, const Copy& copy) {
        std::int64_t at = 0;
        for (std::size_t tensor = 0; tensor < request_.elements.size(); ++tensor) {
            const auto [begin, end] = shareOf(request_.elements[tensor], member, count());
            if (begin < end) {
                copy(tensor, at, begin * size_, (end - begin) * size_);
            }
            at += (end - begin) * size_;
        }
    }

    void reduceShare() {
        forEachShare(
            me_, [&](std::size_t tensor, std::int64_t at, std::int64_t begin, std::int64_t bytes) {
                for (int member = 0; member < count(); ++member) {
                    const auto m = static_cast<std::size_t>(member);
                    sums_[m] = member == me_
                                   ? static_cast<const std::byte*>(inputs_[tensor]) + begin
                                   : incoming_[parcelFor(incoming_, member)].bytes.data() + at;
                }
                reduceInOrder(request_.dtype, request_.reduction, sums_,
                              static_cast<std::byte*>(outputs_[tensor]) + begin, 0, bytes / size_);
            });
        for (Parcel& parcel : shares_) {
            forEachShare(me_, [&](std::size_t tensor, std::int64_t at, std::int64_t begin,
                                  std::int64_t bytes) {
                std::memcpy(parcel.bytes.data() + at,
                            static_cast<const std::byte*>(outputs_[tensor]) + begin,
                            static_cast<std::size_t>(bytes));
            });
        }
    }

    void spreadShares() {
        for (const Parcel& parcel : gathered_) {
            forEachShare(parcel.peer, [&](std::size_t tensor, std::int64_t at, std::int64_t begin,
                                          std::int64_t bytes) {
                std::memcpy(static_cast<std::byte*>(outputs_[tensor]) + begin,
                            parcel.bytes.data() + at, static_cast<std::size_t>(bytes));
            });
        }
    }

    void receiveAll(std::vector<Parcel>& parcels, std::uint32_t tag) {
        for (Parcel& parcel : parcels) {
            isThere_[static_cast<std::size_t>(parcel.peer)].store(false);
            parcel.ticket = postbox_.receive(device(parcel.peer), device(me_), tag, parcel.bytes);
            parcel.isUnderWay = true;
        }
    }

    void sendAll(std::vector<Parcel>& parcels, std::uint32_t tag) {
        for (Parcel& parcel : parcels) {
            if (request_.isAllReduce && &parcels == &outgoing_) {
                forEachShare(parcel.peer, [&](std::size_t tensor, std::int64_t at,
                                              std::int64_t begin, std::int64_t bytes) {
                    std::memcpy(parcel.bytes.data() + at,
                                static_cast<const std::byte*>(inputs_[tensor]) + begin,
                                static_cast<std::size_t>(bytes));
                });
            }
            parcel.ticket = postbox_.send(device(me_), device(parcel.peer), tag, parcel.bytes);
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

    /// Of parcels that come: who has sent one has arrived.
    bool haveArrived(std::vector<Parcel>& parcels) {
        const bool all = haveEnded(parcels);
        for (const Parcel& parcel : parcels) {
            isThere_[static_cast<std::size_t>(parcel.peer)].store(!parcel.isUnderWay,
                                                                  std::memory_order_relaxed);
        }
        return all;
    }

    CollectiveRequest request_;
    int me_;
    Postbox& postbox_;
    std::uint32_t tag_;
    const std::atomic<bool>& aborted_;
    std::int64_t size_;
    std::vector<std::atomic<bool>> isThere_; ///< by member; any thread looks
    bool covers_ = true;
    std::vector<const void*> inputs_;
    std::vector<void*> outputs_;
    std::vector<Parcel> incoming_;
    std::vector<Parcel> outgoing_;
    std::vector<Parcel> gathered_; ///< reduced shares of the others
    std::vector<Parcel> shares_;   ///< mine, for each of them
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
    ensure(found != request.members.end(), "a worker prepares a collective it is no member of");
    return std::make_unique<MessageCollective>(
        request, static_cast<int>(found - request.members.begin()), postbox, sequence, aborted);
}

} // namespace weft
