// SPDX-License-Identifier: Apache-2.0
#include "run/party.h"

#include "device/kept_rates.h"

#include <thread>

namespace weft {

Party partyOf(World& world, const Spread& spread) {
    Party party{.rank = world.rank(), .ranks = world.ranks(), .host = world.host()};
    if (spread.devices.size() == 1) {
        return party;
    }
    party.room = &world.room(spread.rankOf);
    party.links.machine.host = world.host();
    party.links.machine = withKeptLinks(std::move(party.links.machine));
    for (const int rank : spread.rankOf) {
        party.links.places.push_back({rank, 0});
    }
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
