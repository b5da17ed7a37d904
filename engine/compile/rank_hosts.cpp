// SPDX-License-Identifier: Apache-2.0
#include "compile/rank_hosts.h"

#include "base/hash.h"

#include <cstring>
#include <map>
#include <span>

namespace weft {

std::vector<std::int64_t> allGatherNumber(World& world, std::int64_t mine,
                                          std::chrono::seconds limit) {
    std::vector<std::int64_t> said(static_cast<std::size_t>(world.ranks()), mine);
    for (int from = 1; from < world.ranks(); ++from) {
        const auto place = static_cast<std::size_t>(from);
        world.bringToFirst(from, std::as_writable_bytes(std::span(said).subspan(place, 1)), limit);
    }
    std::vector<std::byte> bytes(said.size() * sizeof(std::int64_t));
    std::memcpy(bytes.data(), said.data(), bytes.size());
    world.shareFromFirst(bytes, limit);
    std::memcpy(said.data(), bytes.data(), bytes.size());
    return said;
}

std::vector<int> rankHosts(World& world, std::chrono::seconds limit) {
    const auto name = static_cast<std::int64_t>(hash64(world.host()));
    std::map<std::int64_t, int> numbers;
    std::vector<int> hosts;
    for (const std::int64_t host : allGatherNumber(world, name, limit)) {
        hosts.push_back(numbers.try_emplace(host, static_cast<int>(numbers.size())).first->second);
    }
    return hosts;
}

} // namespace weft
