// SPDX-License-Identifier: Apache-2.0
#pragma once
// A worker's end of what joins workers on one chip for a collective. They tell each other where
// their operands lie and by which events these are ready; then each reads its peers' memory. A sum
// is made share by share, each by one member, and then gathered. Members of one process live until
// all of them have come through.

#include "comm/queued/joined.h"
#include "comm/queued/telling.h"
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

/// That no other process of the host has.
[[nodiscard]] std::uint64_t thisProcess();

class ChipJoined final : public Joined {
public:
    /// `areApart`: not all members are of one process.
    ChipJoined(const CollectiveRequest& request, DeviceId member, const CommunicatorMember& seat,
               bool areApart);

    [[nodiscard]] bool isThrough() override;
    void allReduce(Stream& stream, std::span<const Summed> tensors, DType dtype,
                   Reduction reduction) override;
    void exchange(Stream& stream, std::span<const Message> messages) override;
    void abort() noexcept override { isAborted_ = true; }
    [[nodiscard]] std::vector<DeviceId> arrived() const override { return telling_.arrived(); }

private:
    /// What members wait for: operands are ready, shares are summed, nothing is read any more.
    enum class Phase : std::uint8_t { ready, summed, read, through };
    static constexpr std::size_t events = 3;

    struct Address {
        int to = -1; ///< to which member it is offered; -1: to all
        const void* here = nullptr;
        ChipSharing::Place place = {};
    };
    /// What a member tells.
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
    Telling telling_;
    Stream* stream_ = nullptr;
    std::array<std::unique_ptr<DeviceEvent>, events> events_ = {};
    std::vector<Peer> peers_;                ///< by position; this member's own is not used
    std::vector<std::vector<Share>> shares_; ///< of an all-reduce, by tensor and member
    std::vector<Summed> summed_;
    std::vector<Message> messages_;
    Phase phase_ = Phase::through;
    std::atomic<bool> isAborted_ = false;
};

} // namespace weft::chip
