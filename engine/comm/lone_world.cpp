// SPDX-License-Identifier: Apache-2.0
#include "base/process/environment.h"
#include "comm/simulated/simulated_communicator.h"
#include "comm/threads/threads_communicator.h"
#include "comm/world.h"
#include <weft/error.h>

namespace weft {

namespace {

class LoneWorld final : public World {
public:
    explicit LoneWorld(bool isSimulated)
        : communicator_(isSimulated ? makeSimulatedCommunicator() : makeThreadsCommunicator()) {}

    [[nodiscard]] int rank() const override { return 0; }
    [[nodiscard]] int ranks() const override { return 1; }
    [[nodiscard]] const std::string& host() const override { return host_; }
    [[nodiscard]] Communicator& communicator(const std::vector<int>&) override {
        return *communicator_;
    }
    void bringToFirst(int from, std::span<std::byte>, std::chrono::seconds) override {
        ensure(from == 0, "a process without peers communicates with no other rank");
    }
    void shareFromFirst(std::vector<std::byte>&, std::chrono::seconds) override {}
    void giveUp() override {}
    void abort() override { communicator_->abort(); }

private:
    std::unique_ptr<Communicator> communicator_;
    std::string host_ = hostName();
};

} // namespace

std::unique_ptr<World> makeLoneWorld(bool isSimulated) {
    return std::make_unique<LoneWorld>(isSimulated);
}

} // namespace weft
