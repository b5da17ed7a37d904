// SPDX-License-Identifier: Apache-2.0
#include "run/device_sheets.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace weft {

namespace {

/// By name.
using Declarations = std::unordered_map<std::string_view, const DeviceDeclaration*>;

Declarations declarationsOf(const Design& design) {
    Declarations made;
    for (const DeviceDeclaration& device : design.devices) {
        made.emplace(device.name, &device);
    }
    return made;
}

/// The sheet that the device's declaration names; empty: none.
std::string sheetNamed(const Declarations& declarations, const std::string& device) {
    const auto found = declarations.find(device);
    return found == declarations.end() ? std::string() : found->second->sheet;
}

const DeviceSheet* foundFor(const MachineSheet& machine, const std::string& device) {
    const auto found = std::ranges::find(machine.devices, backendOf(device), &DeviceSheet::backend);
    return found == machine.devices.end() ? nullptr : &*found;
}

/// The data sheets, where the design names one.
std::vector<DeviceSheet> publishedFor(const Design& design) {
    const bool isNamed = std::ranges::any_of(
        design.devices, [](const DeviceDeclaration& device) { return !device.sheet.empty(); });
    return isNamed ? dataSheets() : std::vector<DeviceSheet>{};
}

/// The part of a machine's hardware that one device has. Some backends compute on fewer cores than
/// the machine has, whatever they are given.
DeviceSheet partOf(const DeviceSheet& whole, const HostShare& share, int cores) {
    const auto own = std::max<std::int64_t>(1, whole.cores);
    DeviceSheet part = whole;
    part.cores = own < cores ? std::min<std::int64_t>(own, share.cores) : share.cores;
    const double of = static_cast<double>(part.cores) / static_cast<double>(own);
    part.flopsPerSecond *= of;
    part.bytesPerSecond *= of;
    return slowed(std::move(part), share.share);
}

} // namespace

std::vector<HostShare> sharesFor(const Design& design, const DeviceSpread& spread,
                                 const MachineSheet& machine) {
    const Declarations declarations = declarationsOf(design);
    std::vector<int> hosts;
    for (const DevicePlace& place : evenPlaces(spread.devices.size(), spread.ranks, spread.hosts)) {
        const std::string& device = spread.devices[hosts.size()];
        const bool isHere =
            sheetNamed(declarations, device).empty() && foundFor(machine, device) != nullptr;
        hosts.push_back(isHere ? place.host : noHost);
    }
    return hostShares(design, spread.devices, hosts, coresOf(machine.devices));
}

std::vector<DeviceSheet> sheetsFor(const Design& design, const std::vector<std::string>& devices,
                                   const MachineSheet& machine,
                                   const std::vector<HostShare>& shares) {
    const std::vector<DeviceSheet> published = publishedFor(design);
    const Declarations declarations = declarationsOf(design);
    const int cores = coresOf(machine.devices);
    std::vector<DeviceSheet> sheets;
    for (std::size_t k = 0; k < devices.size(); ++k) {
        DeviceSheet made;
        made.isPresent = false;
        if (const std::string named = sheetNamed(declarations, devices[k]); !named.empty()) {
            const auto sheet = std::ranges::find(published, named, &DeviceSheet::name);
            made = sheet == published.end() ? made : *sheet;
        } else if (const DeviceSheet* here = foundFor(machine, devices[k])) {
            made = partOf(*here, shares[k], cores);
        }
        made.name = devices[k];
        sheets.push_back(std::move(made));
    }
    return sheets;
}

std::vector<Diagnostic> checkSheets(const Design& design) {
    std::vector<Diagnostic> problems;
    const std::vector<DeviceSheet> published = publishedFor(design);
    for (const DeviceDeclaration& device : design.devices) {
        if (device.sheet.empty() ||
            std::ranges::find(published, device.sheet, &DeviceSheet::name) != published.end()) {
            continue;
        }
        std::string names;
        for (const DeviceSheet& sheet : published) {
            names += (names.empty() ? "" : ", ") + sheet.name;
        }
        problems.push_back(
            {.code = "E037",
             .text = "device " + device.name + ": there is no data sheet \"" + device.sheet + "\"",
             .fix = {"choose one of " + names, {}}});
    }
    return problems;
}

} // namespace weft
