// SPDX-License-Identifier: Apache-2.0
#include "run/spread.h"

#include "base/names_of.h"

#include <fmt/format.h>

#include <utility>

namespace weft {

std::vector<std::string> devicesOf(const Design& design, const std::vector<std::string>& asked) {
    if (!asked.empty()) {
        return asked;
    }
    const std::vector<std::string> own = namesOf(design.devices);
    return own.empty() ? std::vector<std::string>{"cpu:0"} : own;
}

RankSpread spreadOver(std::vector<std::string> devices, int ranks, int rank) {
    RankSpread spread{.devices = std::move(devices), .rankOf = {}, .all = {}, .local = {}};
    const auto count = static_cast<std::size_t>(ranks);
    while (spread.devices.size() < count) {
        spread.devices.push_back(fmt::format("cpu:{}", spread.devices.size()));
    }
    for (std::size_t k = 0; k < spread.devices.size(); ++k) {
        const auto id = DeviceId{static_cast<std::uint32_t>(k)};
        spread.rankOf.push_back(static_cast<int>(k * count / spread.devices.size()));
        spread.all.push_back(id);
        if (spread.rankOf.back() == rank) {
            spread.local.push_back(id);
        }
    }
    return spread;
}

} // namespace weft
