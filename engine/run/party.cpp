// SPDX-License-Identifier: Apache-2.0
#include "run/party.h"

#include <thread>

namespace weft {

Party partyOf(World& world, const Spread& spread) {
    Party party{.rank = world.rank(), .ranks = world.ranks(), .host = world.host()};
    if (spread.devices.size() == 1) {
        return party;
    }
    party.room = &world.room(spread.rankOf);
    if (world.ranks() == 1) {
        return party;
    }
    constexpr std::chrono::seconds limit{60};
    party.decide = makeDecide(*party.room, spread.all, spread.local,
                              [] { std::this_thread::sleep_for(std::chrono::microseconds(50)); });
    party.fetch = [&world, &spread](DeviceId device, std::span<std::byte> out) {
        world.bringToFirst(spread.rankOf[device.value], out, limit);
    };
    return party;
}

} // namespace weft
