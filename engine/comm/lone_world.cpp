// SPDX-License-Identifier: Apache-2.0
#include "comm/simulated/simulated_room.h"
#include "comm/threads/threads_room.h"
#include "comm/world.h"
#include <weft/error.h>

#include <unistd.h>

#include <array>

namespace weft {

namespace {

class LoneWorld final : public World {
public:
    explicit LoneWorld(bool isStepped)
        : room_(isStepped ? makeSimulatedRoom() : makeThreadsRoom()) {
        std::array<char, 256> name{};
        if (gethostname(name.data(), name.size() - 1) == 0) {
            host_ = name.data();
        }
    }

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
    std::string host_;
};

} // namespace

std::unique_ptr<World> makeLoneWorld(bool isStepped) {
    return std::make_unique<LoneWorld>(isStepped);
}

} // namespace weft
