// SPDX-License-Identifier: Apache-2.0
#include "run/train/party.h"

#include "compile/rank_hosts.h"
#include "run/train/watchdog.h"

#include <thread>
#include <utility>

namespace weft {

namespace {

/// While it exists, the watchdog names this wait for other ranks in its messages.
class Waiting {
public:
    Waiting(Watchdog* watchdog, const char* what) : watchdog_(watchdog) { enter(what); }
    ~Waiting() { enter(nullptr); }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

private:
    void enter(const char* what) {
        if (watchdog_ != nullptr) {
            watchdog_->setActivity(what);
        }
    }
    Watchdog* watchdog_;
};

} // namespace

RunParticipant participantOf(World& world, const RankSpread& spread, MachineSheet machine,
                             Watchdog* watchdog) {
    RunParticipant party{.rank = world.rank(), .ranks = world.ranks(), .host = world.host()};
    party.links.machine = std::move(machine);
    if (watchdog != nullptr) {
        party.limit = watchdog->collectiveLimit();
    }
    if (spread.devices.size() == 1) {
        return party;
    }
    party.communicator = &world.communicator(spread.rankOf);
    const std::vector<int> hosts =
        rankHosts(world, party.limit); // exchanges nothing if there is one rank
    for (const int rank : spread.rankOf) {
        party.links.places.push_back({rank, hosts[static_cast<std::size_t>(rank)]});
    }
    if (world.ranks() == 1) {
        return party;
    }
    party.gatherNumbers = [&world, watchdog](std::int64_t mine) {
        const Waiting waiting(watchdog, "the hardware and memory needs of all ranks");
        return allGatherNumber(world, mine, std::chrono::minutes(10));
    };
    party.decide =
        [decide = makeDecide(*party.communicator, spread.all, spread.local,
                             [] { std::this_thread::sleep_for(std::chrono::microseconds(50)); }),
         watchdog](const StepDecision& mine) {
            const Waiting waiting(watchdog, "the step decision");
            return decide(mine);
        };
    party.fetch = [&world, &spread, watchdog, limit = party.limit](DeviceId device,
                                                                   std::span<std::byte> out) {
        const Waiting waiting(watchdog, "a part of the checkpoint");
        world.bringToFirst(spread.rankOf[device.value], out, limit);
    };
    party.share = [&world, watchdog, limit = party.limit](std::vector<std::byte>& bytes) {
        const Waiting waiting(watchdog, "the findings of rank 0");
        world.shareFromFirst(bytes, limit);
    };
    return party;
}

} // namespace weft
