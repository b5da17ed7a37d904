// SPDX-License-Identifier: Apache-2.0
#include "compile/spread.h"

#include "base/text/names_of.h"
#include <weft/error.h>
#include <weft/launch.h>

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

std::vector<std::string> devicesOnRanks(const Design& design, const std::vector<std::string>& asked,
                                        int ranks) {
    std::vector<std::string> devices = devicesOf(design, asked);
    const auto count = static_cast<std::size_t>(ranks);
    const bool isNamed = !asked.empty() || !design.devices.empty();
    if (isNamed && devices.size() < count) {
        throw Error(
            ErrorCode::usage, {},
            fmt::format(
                "{} ranks are more than the {} of {}: every rank needs at least one device", ranks,
                devices.size() == 1 ? "one device" : std::to_string(devices.size()) + " devices",
                asked.empty() ? "the design" : "--devices"),
            fmt::format("start at most {} ranks, or name more devices with --devices",
                        devices.size()));
    }
    while (devices.size() < count) {
        devices.push_back(fmt::format("cpu:{}", devices.size()));
    }
    return devices;
}

RankSpread spreadOver(std::vector<std::string> devices, int ranks, int rank) {
    RankSpread spread{.devices = std::move(devices), .rankOf = {}, .all = {}, .local = {}};
    const auto count = static_cast<std::size_t>(ranks);
    ensure(spread.devices.size() >= count, "every rank has a device");
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
