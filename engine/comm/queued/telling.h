// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the members of a communicator of devices tell each other through their hosts: so many bytes
// each, as often as all of them ask.

#include "device/communicator.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace weft {

class Telling {
public:
    /// `number` and `name` together are no other telling's of the same members. All members make
    /// theirs in the same order.
    Telling(Communicator& hosts, const std::string& name, std::uint32_t number,
            const std::vector<DeviceId>& members, DeviceId me, std::size_t bytes);

    /// What this member tells next, kept until it is told.
    [[nodiscard]] std::span<std::byte> mine() { return mine_; }
    void start();
    [[nodiscard]] bool hasFinished() { return collective_->hasFinished(); }
    /// What that member told last.
    [[nodiscard]] std::span<const std::byte> of(std::size_t member) const {
        return std::span(all_).subspan(member * mine_.size(), mine_.size());
    }
    [[nodiscard]] std::vector<DeviceId> arrived() const { return collective_->arrived(); }

private:
    std::vector<std::byte> mine_;
    std::vector<std::byte> all_;
    std::unique_ptr<Collective> collective_;
};

} // namespace weft
