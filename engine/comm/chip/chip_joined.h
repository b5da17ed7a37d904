// SPDX-License-Identifier: Apache-2.0
#pragma once
// A worker's side of a collective between workers on one chip. Members exchange the addresses of
// their operands and the events after which these are ready; then each reads its peers' memory. For
// a sum each member reduces one share, and then all gather the shares. Members of one process live
// until all have finished.

#include "comm/queued/byte_exchange.h"
#include "comm/queued/joined.h"
#include "device/backend.h"
#include "device/communicator_list.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace weft::chip {

/// Returns a number that no other process of the host has.
[[nodiscard]] std::uint64_t thisProcess();

class ChipJoined final : public Joined {
public:
    /// `areApart` is true if the members belong to several processes.
    ChipJoined(const CollectiveRequest& request, DeviceId member, const CommunicatorMember& seat,
               bool areApart);

    [[nodiscard]] bool isThrough() override;
    void allReduce(Stream& stream, std::span<const Summed> tensors, DType dtype,
                   Reduction reduction) override;
    void exchange(Stream& stream, std::span<const Message> messages) override;
    void abort() noexcept override { isAborted_ = true; }
    [[nodiscard]] std::vector<DeviceId> arrived() const override { return telling_.arrived(); }

private:
    /// Events that members wait for: operands are ready, shares are reduced, memory is no longer
    /// read.
    enum class Phase : std::uint8_t { ready, summed, read, through };
    static constexpr std::size_t events = 3;

    struct Address {
        int to = -1; ///< the member that may use it; -1: all
        const void* here = nullptr;
        ChipSharing::Place place = {};
    };
    /// What a member sends to the others.
    struct Word {
        std::uint64_t process = 0;
        std::array<const DeviceEvent*, events> eventsHere = {};
        std::array<ChipSharing::Handle, events> handles = {};
    };
    struct Peer {
        Word word = {};
        std::vector<Address> offers = {};
        std::array<std::unique_ptr<DeviceEvent>, events> taken = {};
    };
    struct Share {
        std::int64_t begin = 0, end = 0;
        std::unique_ptr<Kernel> kernel = {};
    };

    void settleShares(const CollectiveRequest& request, const KernelList& kernels);
    void begin(Stream& stream, const std::vector<Address>& offers);
    void readWords();
    [[nodiscard]] const void* reach(const Peer& peer, const Address& address) const;
    void leave(Phase phase);
    void waitForAll(Phase phase);
    void sumShares();
    void gatherShares();
    void takeMessages();
    void copy(const void* from, void* to, std::int64_t bytes) const;

    int me_;
    CommunicatorMember seat_;
    bool areApart_;
    std::size_t mostOffers_;
    ByteExchange telling_;
    Stream* stream_ = nullptr;
    std::array<std::unique_ptr<DeviceEvent>, events> events_ = {};
    std::vector<Peer> peers_; ///< indexed by position; this member's own entry is unused
    std::vector<std::vector<Share>> shares_; ///< for an all-reduce, by tensor and member
    std::vector<Summed> summed_;
    std::vector<Message> messages_;
    Phase phase_ = Phase::through;
    std::atomic<bool> isAborted_ = false;
};

} // namespace weft::chip
