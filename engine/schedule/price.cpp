// SPDX-License-Identifier: Apache-2.0
#include "schedule/price.h"

#include <algorithm>

namespace weft {

namespace {

/// Rates assumed where nothing was measured: one core of a present-day server.
constexpr double defaultFlopsPerCore = 6e10;
constexpr double defaultBytesPerCore = 8e9;
constexpr double defaultEfficiency = 0.6;
/// Of the bus between a device and its host: PCIe 3 at its usual.
constexpr double defaultBytesOfBus = 12e9;
constexpr double nanosecondsPerSecond = 1e9;

/// Of an op that was not measured itself: that of the dense product, from which it is priced.
TimeSpread spreadOf(const DeviceSheet& sheet, const std::string& op) {
    auto found = sheet.opSpread.find(op);
    found = found == sheet.opSpread.end() ? sheet.opSpread.find("linear") : found;
    return found == sheet.opSpread.end() ? TimeSpread{} : found->second;
}

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

DeviceSheet slowed(DeviceSheet sheet, double share) {
    sheet.flopsPerSecond *= share;
    sheet.bytesPerSecond *= share;
    sheet.overhead = {static_cast<std::int64_t>(static_cast<double>(sheet.overhead.count) / share)};
    return sheet;
}

Price computePrice(const DeviceSheet& sheet, const std::string& op, Flops flops, Bytes traffic,
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
    const auto total = [&](double overhead, double computing, double streaming) {
        return Nanoseconds{
            static_cast<std::int64_t>(static_cast<double>(sheet.overhead.count) * overhead) +
            static_cast<std::int64_t>(std::max(arithmetic * computing, memory * streaming) *
                                      nanosecondsPerSecond)};
    };
    const Nanoseconds time = total(1, 1, 1);
    if (sheet.opSpread.empty()) {
        return {time, {time, time}};
    }
    const TimeSpread computing = spreadOf(sheet, op);
    return {time,
            {total(sheet.overheadSpread.low, computing.low, sheet.streamSpread.low),
             total(sheet.overheadSpread.high, computing.high, sheet.streamSpread.high)}};
}

Nanoseconds stagingTime(Bytes staged) {
    return {static_cast<std::int64_t>(static_cast<double>(staged.count) / defaultBytesOfBus *
                                      nanosecondsPerSecond)};
}

Price communicationPrice(const LinkSheet& link, Bytes sent, int messages) {
    const double latency = static_cast<double>(link.latency.count) * messages;
    const double moving =
        static_cast<double>(sent.count) / link.bytesPerSecond * nanosecondsPerSecond;
    const auto total = [&](double waiting, double streaming) {
        return Nanoseconds{static_cast<std::int64_t>(latency * waiting) +
                           static_cast<std::int64_t>(moving * streaming)};
    };
    return {total(1, 1),
            {total(link.latencySpread.low, link.bytesSpread.low),
             total(link.latencySpread.high, link.bytesSpread.high)}};
}

} // namespace weft
