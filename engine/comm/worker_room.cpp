// SPDX-License-Identifier: Apache-2.0
#include "comm/worker_room.h"

#include "comm/staged/staged_room.h"
#include <weft/error.h>

#include <map>
#include <mutex>
#include <utility>

namespace weft {

namespace {

class WorkerRoom final : public Room {
public:
    WorkerRoom(const RoomSeat& seat, bool isStaged, const RoomList* rooms)
        : seat_(seat),
          rooms_(rooms),
          staged_(isStaged ? makeStagedRoom(*seat.hosts, *seat.device) : nullptr) {}

    [[nodiscard]] std::string name() const override { return usual().name(); }

    [[nodiscard]] std::unique_ptr<Collective> prepare(const CollectiveRequest& request,
                                                      DeviceId member) override {
        return (request.room.empty() ? usual() : opened(request.room)).prepare(request, member);
    }

    void abort() override {
        const std::scoped_lock lock(mutex_);
        isAborted_ = true;
        for (const auto& [name, room] : open_) {
            room->abort();
        }
    }

private:
    [[nodiscard]] Room& usual() const { return staged_ == nullptr ? *seat_.hosts : *staged_; }

    Room& opened(const std::string& name) {
        const std::scoped_lock lock(mutex_);
        std::unique_ptr<Room>& room = open_[name];
        if (room == nullptr) {
            const DeviceRoom* kind = rooms_ == nullptr ? nullptr : rooms_->find(name);
            if (kind == nullptr) {
                throw Error(ErrorCode::device, {},
                            "this build of Weft has no room of devices called " + name,
                            "set training.room to host");
            }
            room = kind->open(seat_);
            isAborted_ ? room->abort() : void();
        }
        return *room;
    }

    RoomSeat seat_;
    const RoomList* rooms_;
    std::unique_ptr<Room> staged_;
    std::mutex mutex_; ///< of what follows
    std::map<std::string, std::unique_ptr<Room>> open_;
    bool isAborted_ = false;
};

} // namespace

std::unique_ptr<Room> makeWorkerRoom(const RoomSeat& seat, const Backend& backend,
                                     const RoomList* rooms) {
    return std::make_unique<WorkerRoom>(seat, backend.space != MemorySpace::host, rooms);
}

} // namespace weft
