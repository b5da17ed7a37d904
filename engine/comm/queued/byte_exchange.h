// SPDX-License-Identifier: Apache-2.0
#pragma once
// Exchanges a fixed number of bytes per member of a communicator of devices through their hosts,
// repeatedly.

#include "device/communicator.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace weft {

class ByteExchange {
public:
    /// `number` and `name` together must be unique among the same members. All members construct
    /// theirs in the same order.
    ByteExchange(Communicator& hosts, const std::string& name, std::uint32_t number,
                 const std::vector<DeviceId>& members, DeviceId me, std::size_t bytes);

    [[nodiscard]] std::span<std::byte> mine() { return mine_; } ///< bytes to send next
    void start(); ///< starts an exchange; poll hasFinished
    [[nodiscard]] bool hasFinished() { return collective_->hasFinished(); }
    /// Returns that member's bytes of the last exchange.
    [[nodiscard]] std::span<const std::byte> bytesOf(std::size_t member) const {
        return std::span(all_).subspan(member * mine_.size(), mine_.size());
    }
    [[nodiscard]] std::vector<DeviceId> arrived() const { return collective_->arrived(); }

private:
    std::vector<std::byte> mine_; ///< bytes of this member
    std::vector<std::byte> all_;  ///< received bytes of all members, in order
    std::unique_ptr<Collective> collective_;
};

} // namespace weft
