// SPDX-License-Identifier: Apache-2.0
#pragma once
// A worker's side of a collective between workers on one chip. Members exchange the addresses of
// their operands and the events after which these are ready; then each reads its peers' memory. For
// a sum each member reduces one share, and then all gather the shares. Members of one process live
// until all have finished.

#include "comm/queued/byte_exchange.h"
#include "comm/queued/member_connection.h"
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

[[nodiscard]] std::uint64_t thisProcess(); ///< random number that identifies this process

class ChipConnection final : public MemberConnection {
public:
    /// `isAcrossProcesses` is true if the members belong to several processes.
    ChipConnection(const CollectiveRequest& request, DeviceId member,
                   const CommunicatorSetup& setup, bool isAcrossProcesses);

    [[nodiscard]] bool isCallDone() override; ///< true: the last call's work is enqueued
    void allReduce(Stream& stream, std::span<const ReducedTensor> tensors, DType dtype,
                   Reduction reduction) override;
    void exchange(Stream& stream, std::span<const Message> messages) override;
    void abort() noexcept override { isAborted_ = true; }
    [[nodiscard]] std::vector<DeviceId> arrived() const override { return hostExchange_.arrived(); }

private:
    /// Events that members wait for: operands are ready, shares are reduced, memory is no longer
    /// read.
    enum class Phase : std::uint8_t { operandsReady, sharesSummed, memoryRead, finished };
    static constexpr std::size_t eventCount = 3; ///< one per phase but `finished`

    struct Address {                        ///< memory that a member lets others read
        int to = -1;                        ///< the member that may use it; -1: all
        const void* localAddress = nullptr; ///< valid in the member's own process
        ChipSharing::Place place = {};      ///< handle of the memory for other processes
    };
    /// What a member sends to the others.
    struct Announcement {
        std::uint64_t process = 0; ///< identifies the member's process
        std::array<const DeviceEvent*, eventCount> localEvents = {}; ///< valid in its own process
        std::array<ChipSharing::Handle, eventCount> handles = {}; ///< events, for other processes
    };
    struct Peer { ///< another member
        Announcement announcement = {};
        std::vector<Address> offers = {}; ///< addresses that the peer offers
        std::array<std::unique_ptr<DeviceEvent>, eventCount> openedEvents = {}; ///< from handles
    };
    struct Share {                           ///< the part of a tensor that one member sums
        std::int64_t begin = 0, end = 0;     ///< elements of a tensor that one member sums
        std::unique_ptr<Kernel> kernel = {}; ///< sums them; nullptr: another member does
    };

    void planShares(const CollectiveRequest& request, const KernelList& kernels);
    void begin(Stream& stream, const std::vector<Address>& offers);
    void readAnnouncements(); ///< fills `peers_`
    [[nodiscard]] const void* mappedAddress(const Peer& peer, const Address& address) const;
    void announce(Phase phase);   ///< records its event and notifies the others
    void waitForAll(Phase phase); ///< the stream waits for the events of all
    void sumShares();             ///< enqueues the sums of this member's shares
    void gatherShares();          ///< enqueues copies of the other members' sums
    void copyMessages();          ///< enqueues copies of messages from their senders
    void copy(const void* from, void* to, std::int64_t bytes) const;

    int position_; ///< this member's position among the members
    CommunicatorSetup setup_;
    bool isAcrossProcesses_;    ///< the members belong to several processes
    std::size_t maxOffers_;     ///< largest number of addresses that a member offers
    ByteExchange hostExchange_; ///< sends announcements and offers through the hosts
    Stream* stream_ = nullptr;  ///< stream of the current call
    std::array<std::unique_ptr<DeviceEvent>, eventCount> events_ =
        {};                   ///< this member's events, by phase
    std::vector<Peer> peers_; ///< indexed by position; this member's own entry is unused
    std::vector<std::vector<Share>> shares_; ///< for an all-reduce, by tensor and member
    std::vector<ReducedTensor> tensors_;     ///< tensors of the current all-reduce
    std::vector<Message> messages_;          ///< messages of the current exchange
    Phase phase_ = Phase::finished;
    std::atomic<bool> isAborted_ = false;
};

} // namespace weft::chip
