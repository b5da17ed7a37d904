// SPDX-License-Identifier: Apache-2.0
#include "compile/device_sheets.h"

#include "compile/local_names.h"
#include "device/backend.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace weft {

namespace {

/// Names of sheets by chip. The sheet of one worker of a chip applies to all of its workers.
using Declarations = std::unordered_map<std::string, std::string>;

Declarations declarationsOf(const Design& design) {
    Declarations made;
    for (const DeviceDeclaration& device : design.devices) {
        if (!device.sheet.empty()) {
            made.emplace(chipOf(device.name), device.sheet);
        }
    }
    return made;
}

/// Returns the sheet that the design names for the device, or an empty string.
std::string sheetNamed(const Declarations& declarations, const std::string& device) {
    const auto found = declarations.find(chipOf(device));
    return found == declarations.end() ? std::string() : found->second;
}

/// Returns the sheet of the device's chip, or else of the first chip of its backend.
const DeviceSheet* foundFor(const MachineSheet& machine, const std::string& device) {
    auto found = std::ranges::find(machine.devices, chipOf(device), &DeviceSheet::name);
    if (found == machine.devices.end()) {
        found = std::ranges::find(machine.devices, backendOf(device), &DeviceSheet::backend);
    }
    return found == machine.devices.end() ? nullptr : &*found;
}

/// Returns the data sheets if the design names one.
std::vector<DeviceSheet> publishedFor(const Design& design) {
    const bool isNamed = std::ranges::any_of(
        design.devices, [](const DeviceDeclaration& device) { return !device.sheet.empty(); });
    return isNamed ? dataSheets() : std::vector<DeviceSheet>{};
}

/// Returns one device's part of a machine's hardware. Some backends use fewer cores than the
/// machine has, whatever share they get.
DeviceSheet partOf(const DeviceSheet& whole, const HostShare& share, int cores) {
    const auto own = std::max<std::int64_t>(1, whole.cores);
    DeviceSheet part = whole;
    part.cores = own < cores ? std::min<std::int64_t>(own, share.cores) : share.cores;
    const double of = static_cast<double>(part.cores) / static_cast<double>(own);
    part.scaleRates(of);
    return slowed(std::move(part), share.share);
}

/// Returns one worker's part of a chip. Launch latency is not shared, since each worker has its own
/// thread.
DeviceSheet partOfChip(DeviceSheet chip, const HostShare& share) {
    if (share.workers > 1) {
        chip.scaleRates(share.share);
        chip.threads = std::max<std::int64_t>(1, chip.threads / share.workers);
        chip.bus->bytesPerSecond *= share.share;
        if (chip.peer) {
            chip.peer->bytesPerSecond *= share.share;
        }
    }
    return chip;
}

/// Returns the sheet of a device before sharing, or none if the device is unknown. `local` is its
/// name on its host.
std::optional<DeviceSheet> wholeSheet(const Declarations& declarations,
                                      const std::vector<DeviceSheet>& published,
                                      const MachineSheet& machine, const std::string& device,
                                      const std::string& local) {
    if (const std::string named = sheetNamed(declarations, device); !named.empty()) {
        const auto sheet = std::ranges::find(published, named, &DeviceSheet::name);
        return sheet == published.end() ? std::nullopt : std::optional(*sheet);
    }
    const DeviceSheet* here = foundFor(machine, local);
    return here == nullptr ? std::nullopt : std::optional(*here);
}

/// Returns the names of the published sheets of CPUs or GPUs.
std::string namesFor(const std::vector<DeviceSheet>& published, const std::string& backend) {
    std::string names;
    for (const DeviceSheet& sheet : published) {
        if ((sheet.backend == "cpu") == (backend == "cpu")) {
            names += (names.empty() ? "" : ", ") + sheet.name;
        }
    }
    return names;
}

Diagnostic cannotOpen(const std::string& what, std::string fix) {
    return {.code = "W071",
            .severity = Severity::warning,
            .attribute = "devices",
            .text = what + ": this machine cannot open them",
            .fix = {std::move(fix), {}}};
}

std::vector<int> hostsOf(const DeviceSpread& spread) {
    std::vector<int> hosts;
    for (const DevicePlace& place : evenPlaces(spread.devices.size(), spread.ranks, spread.hosts)) {
        hosts.push_back(place.host);
    }
    return hosts;
}

} // namespace

std::vector<HostShare> hostSharesFor(const Design& design, const DeviceSpread& spread,
                                     const MachineSheet& machine) {
    using Computes = HostedDevice::Computes;
    const std::vector<DeviceSheet> published = publishedFor(design);
    const Declarations declarations = declarationsOf(design);
    const std::vector<int> hosts = hostsOf(spread);
    std::vector<HostedDevice> devices;
    for (std::size_t k = 0; k < spread.devices.size(); ++k) {
        const std::string& name = spread.devices[k];
        const auto sheet = wholeSheet(declarations, published, machine, name, name);
        const bool isHere = sheet && sheetNamed(declarations, name).empty();
        devices.push_back({name, hosts[k],
                           sheet && sheet->bus ? Computes::onChip
                           : isHere            ? Computes::onCores
                                               : Computes::apart});
    }
    return hostShares(design, devices, coresOf(machine.devices));
}

std::vector<HostShare> hostSharesOn(const Design& design, const std::vector<std::string>& devices,
                                    const std::vector<int>& hosts, const MachineSheet& machine,
                                    int cores) {
    using Computes = HostedDevice::Computes;
    std::vector<HostedDevice> hosted;
    for (std::size_t k = 0; k < devices.size(); ++k) {
        const DeviceSheet* sheet = foundFor(machine, devices[k]);
        hosted.push_back({devices[k], hosts[k],
                          sheet != nullptr && sheet->bus ? Computes::onChip : Computes::onCores});
    }
    return hostShares(design, hosted, cores);
}

std::vector<DeviceSheet> sheetsFor(const Design& design, const std::vector<std::string>& devices,
                                   const std::vector<std::string>& local,
                                   const MachineSheet& machine,
                                   const std::vector<HostShare>& shares) {
    const std::vector<DeviceSheet> published = publishedFor(design);
    const Declarations declarations = declarationsOf(design);
    const int cores = coresOf(machine.devices);
    std::vector<DeviceSheet> sheets;
    for (std::size_t k = 0; k < devices.size(); ++k) {
        DeviceSheet made;
        made.isPresent = false;
        if (auto whole = wholeSheet(declarations, published, machine, devices[k], local[k])) {
            const bool isWhole = !sheetNamed(declarations, devices[k]).empty();
            made = whole->bus ? partOfChip(std::move(*whole), shares[k])
                   : isWhole  ? std::move(*whole)
                              : partOf(*whole, shares[k], cores);
        }
        made.name = devices[k];
        sheets.push_back(std::move(made));
    }
    return sheets;
}

std::vector<DeviceSheet> sheetsFor(const Design& design, const DeviceSpread& spread,
                                   const MachineSheet& machine,
                                   const std::vector<HostShare>& shares) {
    const std::vector<int> hosts = hostsOf(spread);
    return sheetsFor(design, spread.devices,
                     localNames(spread.devices, {hosts.begin(), hosts.end()}), machine, shares);
}

std::vector<Diagnostic> checkChips(const Design& design, const DeviceSpread& spread,
                                   const MachineSheet& machine) {
    const Declarations declarations = declarationsOf(design);
    const std::vector<int> hosts = hostsOf(spread);
    const std::vector<std::string> local = localNames(spread.devices, {hosts.begin(), hosts.end()});
    std::map<std::pair<int, std::string>, std::set<std::string>> chips; // by host and backend
    std::map<std::pair<int, std::string>, std::set<std::string>> unknown;
    for (std::size_t k = 0; k < spread.devices.size(); ++k) {
        const std::string& name = spread.devices[k];
        const DeviceSheet* sheet = foundFor(machine, local[k]);
        if (sheetNamed(declarations, name).empty() && sheet != nullptr && sheet->bus) {
            const std::pair where{hosts[k], sheet->backend};
            chips[where].insert(chipOf(name));
            if (sheet->name != chipOf(local[k])) {
                unknown[where].insert(chipOf(name));
            }
        }
    }
    for (const auto& [where, wanted] : chips) {
        const auto there = std::ranges::count(machine.devices, where.second, &DeviceSheet::backend);
        if (static_cast<std::ptrdiff_t>(wanted.size()) > there) {
            return {cannotOpen(fmt::format("{} on one host need {} GPUs, but this machine has {}",
                                           fmt::join(wanted, ", "), wanted.size(), there),
                               fmt::format("use at most {} per host, or more hosts", there))};
        }
        if (const auto missing = unknown.find(where); missing != unknown.end()) {
            return {cannotOpen(fmt::format("this machine has no {}: it has {} and counts from 0",
                                           fmt::join(missing->second, ", "), there),
                               fmt::format("number the devices from {}:0 on", where.second))};
        }
    }
    return {};
}

std::vector<Diagnostic> checkSheets(const Design& design) {
    std::vector<Diagnostic> problems;
    const std::vector<DeviceSheet> published = publishedFor(design);
    const Declarations declarations = declarationsOf(design);
    const auto refuse = [&](const DeviceDeclaration& device, std::string why, std::string fix) {
        problems.push_back({.code = "E037",
                            .text = fmt::format("device {}: {}", device.name, why),
                            .fix = {std::move(fix), {}}});
    };
    for (const DeviceDeclaration& device : design.devices) {
        const auto sheet = std::ranges::find(published, device.sheet, &DeviceSheet::name);
        if (device.sheet.empty()) {
            continue;
        }
        if (sheet == published.end()) {
            refuse(device, fmt::format("there is no data sheet \"{}\"", device.sheet),
                   "choose one of " + namesFor(published, backendOf(device.name)));
        } else if ((sheet->backend == "cpu") != (backendOf(device.name) == "cpu")) {
            refuse(device, fmt::format("\"{}\" describes {}", device.sheet, sheet->model),
                   "choose one of " + namesFor(published, backendOf(device.name)));
        } else if (const std::string own = sheetNamed(declarations, device.name);
                   own != device.sheet) {
            refuse(device,
                   fmt::format(
                       "it is a worker on {}, whose workers have different data sheets: {} and {}",
                       chipOf(device.name), own, device.sheet),
                   "give both workers the same data sheet");
        }
    }
    return problems;
}

} // namespace weft
