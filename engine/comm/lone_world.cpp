// SPDX-License-Identifier: Apache-2.0
#include "base/environment.h"
#include "comm/simulated/simulated_room.h"
#include "comm/threads/threads_room.h"
#include "comm/world.h"
#include <weft/error.h>

namespace weft {

namespace {

class LoneWorld final : public World {
public:
    explicit LoneWorld(bool isStepped)
        : room_(isStepped ? makeSimulatedRoom() : makeThreadsRoom()) {}

    [[nodiscard]] int rank() const override { return 0; }
    [[nodiscard]] int ranks() const override { return 1; }
    [[nodiscard]] const std::string& host() const override { return host_; }
    [[nodiscard]] Room& room(const std::vector<int>&) override { return *room_; }
    void bringToFirst(int from, std::span<std::byte>, std::chrono::seconds) override {
        ensure(from == 0, "a lone process asks another rank");
    }
    void shareFromFirst(std::vector<std::byte>&, std::chrono::seconds) override {}
    void giveUp() override {}
    void abort() override { room_->abort(); }

private:
    std::unique_ptr<Room> room_;
    std::string host_ = hostName();
};

} // namespace

std::unique_ptr<World> makeLoneWorld(bool isStepped) {
    return std::make_unique<LoneWorld>(isStepped);
}

} // namespace weft
