// SPDX-License-Identifier: Apache-2.0
#include "schedule/price.h"

#include <algorithm>

namespace weft {

namespace {

/// Rates assumed where nothing was measured: one core of a present-day server.
constexpr double defaultFlopsPerCore = 6e10;
constexpr double defaultBytesPerCore = 8e9;
constexpr double defaultEfficiency = 0.6;
constexpr double nanosecondsPerSecond = 1e9;

} // namespace

const LinkSheet& Links::among(std::span<const DeviceId> members) const {
    const auto placeOf = [this](DeviceId device) {
        return device.value < places.size() ? places[device.value] : DevicePlace{};
    };
    const LinkSheet* slowest = &machine.withinProcess;
    for (const DeviceId member : members) {
        const DevicePlace first = placeOf(members.front());
        const DevicePlace place = placeOf(member);
        if (place.host != first.host) {
            return machine.betweenHosts;
        }
        slowest = place.rank != first.rank ? &machine.withinHost : slowest;
    }
    return *slowest;
}

Nanoseconds computeTime(const DeviceSheet& sheet, const std::string& op, Flops flops, Bytes traffic,
                        double shareOfDevice) {
    const auto cores = static_cast<double>(std::max<std::int64_t>(1, sheet.cores));
    const double rate =
        sheet.flopsPerSecond > 0 ? sheet.flopsPerSecond : defaultFlopsPerCore * cores;
    const double stream =
        sheet.bytesPerSecond > 0 ? sheet.bytesPerSecond : defaultBytesPerCore * cores;
    const auto known = sheet.efficiency.find(op);
    const double efficiency = known == sheet.efficiency.end() ? defaultEfficiency : known->second;
    const double arithmetic =
        static_cast<double>(flops.count) / (rate * efficiency * shareOfDevice);
    const double memory = static_cast<double>(traffic.count) / (stream * shareOfDevice);
    return {sheet.overhead.count +
            static_cast<std::int64_t>(std::max(arithmetic, memory) * nanosecondsPerSecond)};
}

Nanoseconds communicationTime(const LinkSheet& link, Bytes sent, int messages) {
    return {link.latency.count * messages +
            static_cast<std::int64_t>(static_cast<double>(sent.count) / link.bytesPerSecond *
                                      nanosecondsPerSecond)};
}

} // namespace weft
