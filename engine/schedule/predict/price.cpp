// SPDX-License-Identifier: Apache-2.0
#include "schedule/predict/price.h"

#include "device/backend.h"
#include "device/published_links.h"

#include <algorithm>
#include <set>
#include <string>

namespace weft {

namespace {

/// Rates assumed without measurements: one core of a present-day server.
constexpr double defaultFlopsPerCore = 6e10;
constexpr double defaultBytesPerCore = 8e9;
constexpr double defaultEfficiency = 0.6;
/// PCIe generation of the bus to the host, if the sheet names none.
constexpr int defaultPcie = 3;
constexpr double nanosecondsPerSecond = 1e9;
/// Elements read or written per thread below which a sum does not use a further thread.
constexpr std::int64_t worthAThread = 16;
constexpr std::int64_t bytesOfElement = 4;

LinkSheet throughHost(const LinkSheet& bus, const LinkSheet& host) {
    LinkSheet link;
    link.name = bus.name + " and " + host.name;
    link.latency = bus.latency * 2 + host.latency;
    link.bytesPerSecond = 1 / (2 / bus.bytesPerSecond + 1 / host.bytesPerSecond);
    // Only the host's link has a known deviation.
    const auto part = [](double ofHost, double whole, double spread) {
        return 1 + (spread - 1) * ofHost / whole;
    };
    const auto latency = [&](double spread) {
        return part(static_cast<double>(host.latency.count),
                    static_cast<double>(link.latency.count), spread);
    };
    const auto bytes = [&](double spread) {
        return part(link.bytesPerSecond, host.bytesPerSecond, spread);
    };
    link.latencySpread = {latency(host.latencySpread.low), latency(host.latencySpread.high)};
    link.bytesSpread = {bytes(host.bytesSpread.low), bytes(host.bytesSpread.high)};
    return link;
}

const LinkSheet& slower(const LinkSheet& one, const LinkSheet& other) {
    return other.bytesPerSecond < one.bytesPerSecond ? other : one;
}

/// Returns the link between members on one host, or none if all are CPUs.
std::optional<LinkSheet> amongChips(const std::vector<ChipConnection>& connections,
                                    std::span<const DeviceId> members, bool byDeviceCommunicator,
                                    const LinkSheet& ofHost) {
    const ChipConnection* slowest = nullptr; // the chip with the slowest bus
    std::optional<LinkSheet> peer;
    bool areJoined = true;  // the chips have links to each other
    bool areOfChips = true; // none of them is a CPU
    std::set<std::string> chips;
    for (const DeviceId member : members) {
        if (member.value >= connections.size() || connections[member.value].chip.empty()) {
            areJoined = areOfChips = false;
            continue;
        }
        const ChipConnection& connection = connections[member.value];
        const ChipConnection& other = slowest == nullptr ? connection : *slowest;
        const bool isNew = chips.insert(connection.chip).second;
        areJoined = areJoined && (byDeviceCommunicator || !connection.isHere) &&
                    connection.model == other.model && connection.peer.has_value() && isNew;
        if (connection.peer) {
            peer = peer ? slower(*peer, *connection.peer) : *connection.peer;
        }
        slowest = &slower(other.bus, connection.bus) == &connection.bus ? &connection : &other;
    }
    if (slowest == nullptr) {
        return std::nullopt;
    }
    if (byDeviceCommunicator && areOfChips && chips.size() == 1) {
        LinkSheet within = slowest->within;
        within.latency += ofHost.latency; // members exchange addresses through the host
        return within;
    }
    return areJoined ? *peer : throughHost(slowest->bus, ofHost);
}

/// Returns the deviation of an op; without a measurement, that of the dense product from which it
/// is priced.
TimeDeviation spreadOf(const DeviceSheet& sheet, const std::string& op) {
    auto found = sheet.opSpread.find(op);
    found = found == sheet.opSpread.end() ? sheet.opSpread.find("linear") : found;
    return found == sheet.opSpread.end() ? TimeDeviation{} : found->second;
}

} // namespace

LinkSheet Links::linkAmong(std::span<const DeviceId> members, bool byDeviceCommunicator) const {
    const auto placeOf = [this](DeviceId device) {
        return device.value < places.size() ? places[device.value] : DevicePlace{};
    };
    bool isOneProcess = true;
    for (const DeviceId member : members) {
        const DevicePlace first = placeOf(members.front());
        const DevicePlace place = placeOf(member);
        if (place.host != first.host) {
            return machine.betweenHosts;
        }
        isOneProcess = isOneProcess && place.rank == first.rank;
    }
    const LinkSheet& ofHost = isOneProcess ? machine.withinProcess : machine.withinHost;
    return amongChips(connections, members, byDeviceCommunicator, ofHost).value_or(ofHost);
}

namespace {

/// Returns the link between workers on one GPU, each of which has a part of its rate.
LinkSheet withinChip(const DeviceSheet& sheet) {
    const double stream = sheet.bytesPerSecond > 0 ? sheet.bytesPerSecond : defaultBytesPerCore;
    return {.name = "one chip", .latency = sheet.overhead, .bytesPerSecond = stream / 2};
}

} // namespace

std::vector<ChipConnection> connectionsOf(const std::vector<DeviceSheet>& sheets) {
    std::vector<ChipConnection> connections;
    for (std::size_t k = 0; k < sheets.size(); ++k) {
        const DeviceSheet& sheet = sheets[k];
        if (!sheet.bus) {
            continue;
        }
        connections.resize(sheets.size());
        connections[k] = {.chip = chipOf(sheet.name),
                          .model = sheet.model,
                          .bus = *sheet.bus,
                          .peer = sheet.peer,
                          .within = withinChip(sheet),
                          .isHere = sheet.isPresent};
    }
    return connections;
}

DeviceSheet slowed(DeviceSheet sheet, double share) {
    sheet.scaleRates(share);
    sheet.overhead = {static_cast<std::int64_t>(static_cast<double>(sheet.overhead.count) / share)};
    return sheet;
}

Price computePrice(const DeviceSheet& sheet, const std::string& op, Flops flops, Bytes traffic,
                   double shareOfDevice, Precision precision, int launches) {
    const auto cores = static_cast<double>(std::max<std::int64_t>(1, sheet.cores));
    const double known = flopsPerSecondIn(precision, sheet);
    const double rate = known > 0                  ? known
                        : sheet.flopsPerSecond > 0 ? sheet.flopsPerSecond
                                                   : defaultFlopsPerCore * cores;
    const double stream =
        sheet.bytesPerSecond > 0 ? sheet.bytesPerSecond : defaultBytesPerCore * cores;
    const auto reached = sheet.efficiency.find(op);
    const double efficiency =
        reached == sheet.efficiency.end() ? defaultEfficiency : reached->second;
    const double arithmetic =
        static_cast<double>(flops.count) / (rate * efficiency * shareOfDevice);
    const double memory = static_cast<double>(traffic.count) / (stream * shareOfDevice);
    const auto launching = static_cast<double>(sheet.overhead.count) * launches;
    const auto total = [&](double overhead, double computing, double streaming) {
        return Nanoseconds{
            static_cast<std::int64_t>(launching * overhead) +
            static_cast<std::int64_t>(std::max(arithmetic * computing, memory * streaming) *
                                      nanosecondsPerSecond)};
    };
    const Nanoseconds time = total(1, 1, 1);
    if (sheet.opSpread.empty()) {
        return {time, {time, time}};
    }
    const TimeDeviation computing = spreadOf(sheet, op);
    return {time,
            {total(sheet.overheadSpread.low, computing.low, sheet.streamSpread.low),
             total(sheet.overheadSpread.high, computing.high, sheet.streamSpread.high)}};
}

double usableShareOf(const DeviceSheet& sheet, std::int64_t elements, Bytes traffic) {
    const std::int64_t parts = traffic.count / (bytesOfElement * worthAThread);
    const auto busy = static_cast<double>(std::max<std::int64_t>({1, elements, parts}));
    return std::min(1.0, busy / static_cast<double>(sheet.threads));
}

LinkSheet busOf(const DeviceSheet& sheet) { return sheet.bus ? *sheet.bus : pcieLink(defaultPcie); }

Price hostPrice(const std::string& op, Flops flops, Bytes traffic) {
    return computePrice(DeviceSheet{}, op, flops, traffic);
}

Price roundTripPrice(const DeviceSheet& sheet, Bytes staged) {
    const Nanoseconds there = communicationPrice(busOf(sheet), staged, 2).time;
    return {there, {there, there}};
}

Price hostFallbackPrice(const DeviceSheet& sheet, const std::string& op, Flops flops, Bytes traffic,
                        Bytes staged) {
    Price price = hostPrice(op, flops, traffic);
    const Price fallback = roundTripPrice(sheet, staged);
    price.time += fallback.time;
    price.band.low += fallback.band.low;
    price.band.high += fallback.band.high;
    return price;
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
