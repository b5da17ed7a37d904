// SPDX-License-Identifier: Apache-2.0
// Computes which blocks each device sends to each other device: the reference for every change of
// placement.
#include "place/plan.h"

#include <algorithm>

namespace weft {

namespace {

using Kind = Placement::Kind;

/// The members of the source that send to one receiver.
class Senders {
public:
    Senders(const Mesh& from, const Placements& source, const Mesh& to, const Placements& target,
            std::size_t receiver)
        : from_(from), source_(source), to_(to), target_(target), receiver_(receiver) {
        const DeviceId device = to.devices[receiver];
        const auto found = std::ranges::find(from.devices, device);
        atHome_ = found != from.devices.end();
        home_ = static_cast<std::size_t>(found - from.devices.begin());
        isOneMesh_ = from == to;
    }

    /// False if the receiver starts from zeros, because the first device along an axis of the
    /// target has everything.
    [[nodiscard]] bool receives() const {
        for (std::size_t axis = 0; axis < target_.size(); ++axis) {
            if (target_[axis].isPartial() && to_.coordinate(receiver_, axis) != 0 &&
                !(isOneMesh_ && !source_[axis].isReplicated())) {
                return false;
            }
        }
        return true;
    }

    [[nodiscard]] bool sends(std::size_t sender) const {
        for (std::size_t axis = 0; axis < source_.size(); ++axis) {
            const std::int64_t coordinate = from_.coordinate(sender, axis);
            const bool keepsOwn = isOneMesh_ && target_[axis].isPartial();
            if (keepsOwn && coordinate != to_.coordinate(receiver_, axis)) {
                return false;
            }
            if (!keepsOwn && source_[axis].isReplicated() && coordinate != nearest(axis)) {
                return false;
            }
        }
        return true;
    }

    /// True if several shares of a box arrive.
    [[nodiscard]] bool reduces() const {
        for (std::size_t axis = 0; axis < source_.size(); ++axis) {
            if (source_[axis].isPartial() && from_.shape[axis] > 1 &&
                !(isOneMesh_ && target_[axis].isPartial())) {
                return true;
            }
        }
        return false;
    }

private:
    /// Returns the nearest holder along an axis: the receiver itself, or one chosen so that the
    /// work is spread evenly.
    [[nodiscard]] std::int64_t nearest(std::size_t axis) const {
        return atHome_ ? from_.coordinate(home_, axis)
                       : static_cast<std::int64_t>(receiver_) % from_.shape[axis];
    }

    const Mesh& from_;
    const Placements& source_;
    const Mesh& to_;
    const Placements& target_;
    std::size_t receiver_;
    std::size_t home_ = 0;
    bool atHome_ = false;
    bool isOneMesh_ = false;
};

} // namespace

std::vector<BlockTransfer> blockTransfers(const Shape& shape, const Mesh& from,
                                          const Placements& source, const Mesh& to,
                                          const Placements& target) {
    std::vector<Box> held;
    for (std::size_t sender = 0; sender < from.devices.size(); ++sender) {
        held.push_back(boxOf(shape, from, source, sender));
    }
    std::vector<BlockTransfer> blocks;
    for (std::size_t receiver = 0; receiver < to.devices.size(); ++receiver) {
        const Senders senders(from, source, to, target, receiver);
        if (!senders.receives()) {
            continue;
        }
        const Box wanted = boxOf(shape, to, target, receiver);
        for (std::size_t sender = 0; sender < from.devices.size(); ++sender) {
            if (!senders.sends(sender)) {
                continue;
            }
            Box box = intersection(held[sender], wanted);
            if (!box.isEmpty()) {
                blocks.push_back({from.devices[sender], to.devices[receiver], std::move(box),
                                  senders.reduces()});
            }
        }
    }
    return blocks;
}

} // namespace weft
