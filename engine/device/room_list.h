// SPDX-License-Identifier: Apache-2.0
#pragma once
// Rooms of devices, in which members meet without their hosts. Each is a folder of `comm` that can
// be deleted; the list of those built in is passed on from the top, as that of the backends is.

#include "device/backend.h"
#include "device/room.h"

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// What a worker brings into such a room.
struct RoomSeat {
    Device* device = nullptr;
    const KernelList* kernels = nullptr; ///< of its backend
    Room* hosts = nullptr; ///< where members tell each other what they need before they meet
    std::chrono::nanoseconds limit{}; ///< for the others to come
};

struct DeviceRoom {
    std::string name;         ///< "nccl"
    std::string backend;      ///< whose devices meet in it: "cuda"
    bool isOfOneChip = false; ///< its members are workers on one chip; else each has its own
    /// What this machine lacks for it; empty: it can be opened.
    std::function<std::string()> lacks;
    /// Version of the library it uses, if it is available.
    std::function<std::string()> version;
    /// What is in the seat outlives the room.
    std::function<std::unique_ptr<Room>(const RoomSeat&)> open;
};

class RoomList {
public:
    void add(DeviceRoom room) { rooms_.push_back(std::move(room)); }
    /// nullptr: this build has none of that name.
    [[nodiscard]] const DeviceRoom* find(std::string_view name) const {
        for (const DeviceRoom& room : rooms_) {
            if (room.name == name) {
                return &room;
            }
        }
        return nullptr;
    }
    [[nodiscard]] std::span<const DeviceRoom> all() const { return rooms_; }

private:
    std::vector<DeviceRoom> rooms_;
};

} // namespace weft
