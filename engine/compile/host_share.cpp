// SPDX-License-Identifier: Apache-2.0
#include "compile/host_share.h"

#include "base/limits.h"
#include "device/backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace weft {

namespace {

/// Returns the cores that each device declares; 0: none.
std::vector<int> declaredCores(const Design& design, const std::vector<HostedDevice>& devices) {
    std::unordered_map<std::string_view, int> byName;
    for (const DeviceDeclaration& one : design.devices) {
        byName[one.name] = static_cast<int>(std::clamp<std::int64_t>(one.cores, 0, limits::cores));
    }
    std::vector<int> declared;
    for (const HostedDevice& device : devices) {
        const auto found = byName.find(device.name);
        declared.push_back(found == byName.end() ? 0 : found->second);
    }
    return declared;
}

/// The cores of one host that its devices take.
struct Taken {
    int declared = 0;
    int sharing = 0;                          ///< devices that declare no number of cores
    [[nodiscard]] int each(int cores) const { // an equal part, but at least one thread
        return std::max(1, (cores - declared) / std::max(1, sharing));
    }
    [[nodiscard]] int all(int cores) const { return declared + sharing * each(cores); }
};

/// Identifies the memory that a device uses: a host's, or that of one of its chips.
std::pair<int, std::string> memoryOf(const HostedDevice& device) {
    switch (device.computes) {
    case HostedDevice::Computes::onCores: return {device.host, ""};
    case HostedDevice::Computes::onChip: return {device.host, chipOf(device.name)};
    case HostedDevice::Computes::apart: break;
    }
    return {noHost, device.name};
}

std::string counted(std::ptrdiff_t count, const char* one, const char* several) {
    return count == 1 ? one : fmt::format("{} {}", count, several);
}

void checkCores(const std::vector<HostShare>& shares, int cores,
                std::vector<Diagnostic>& problems) {
    const auto most = std::ranges::max_element(
        shares, {}, [](const HostShare& share) { return share.host == noHost ? 0 : share.taken; });
    if (most == shares.end() || most->host == noHost || most->share == 1) {
        return;
    }
    const auto devices = std::ranges::count(shares, most->host, &HostShare::host);
    problems.push_back(
        {.code = "W071",
         .severity = Severity::warning,
         .attribute = "devices",
         .text =
             fmt::format("{} on one host {} {} cores, but it has only {}: they share the cores, "
                         "and are no faster than {} would be",
                         counted(devices, "one device", "devices"), devices == 1 ? "takes" : "take",
                         most->taken, cores, counted(cores, "one core", "cores")),
         .fix = {fmt::format("use at most {} cores per host, or more hosts", cores), {}}});
}

void checkChips(const std::vector<HostShare>& shares, std::vector<Diagnostic>& problems) {
    const auto most = std::ranges::max_element(shares, {}, &HostShare::workers);
    if (most == shares.end() || most->workers == 1) {
        return;
    }
    problems.push_back(
        {.code = "W071",
         .severity = Severity::warning,
         .attribute = "devices",
         .text = fmt::format("{} devices are on one GPU and share its memory and compute units: "
                             "they are no faster than one device would be",
                             most->workers),
         .fix = {"place each device on a GPU of its own", {}}});
}

} // namespace

std::vector<HostShare> hostShares(const Design& design, const std::vector<HostedDevice>& devices,
                                  int cores) {
    using Computes = HostedDevice::Computes;
    const std::vector<int> declared = declaredCores(design, devices);
    std::map<int, Taken> byHost;
    std::map<std::pair<int, std::string>, std::vector<std::size_t>> byMemory;
    for (std::size_t k = 0; k < devices.size(); ++k) {
        byMemory[memoryOf(devices[k])].push_back(k);
        if (devices[k].computes == Computes::onCores) {
            Taken& taken = byHost[devices[k].host];
            taken.declared += declared[k];
            taken.sharing += declared[k] > 0 ? 0 : 1;
        }
    }
    std::vector<HostShare> shares(devices.size());
    for (const auto& [memory, sharers] : byMemory) {
        for (const std::size_t k : sharers) {
            shares[k].memory = sharers.front();
            if (devices[k].computes == Computes::onChip) {
                shares[k].workers = static_cast<int>(sharers.size());
                shares[k].share = 1 / static_cast<double>(sharers.size());
            }
        }
    }
    for (std::size_t k = 0; k < devices.size(); ++k) {
        if (devices[k].computes == Computes::onCores) {
            const Taken& taken = byHost[devices[k].host];
            const int all = taken.all(cores);
            shares[k].host = devices[k].host;
            shares[k].cores = declared[k] > 0 ? declared[k] : taken.each(cores);
            shares[k].share = all > cores ? static_cast<double>(cores) / all : 1;
            shares[k].taken = all;
        }
    }
    return shares;
}

std::vector<Diagnostic> checkShares(const std::vector<HostShare>& shares, int cores) {
    std::vector<Diagnostic> problems;
    checkCores(shares, cores, problems);
    checkChips(shares, problems);
    return problems;
}

std::vector<DevicePlace> evenPlaces(std::size_t devices, int ranks, int hosts) {
    std::vector<DevicePlace> places;
    for (std::size_t k = 0; k < devices; ++k) {
        const int rank = static_cast<int>(k * static_cast<std::size_t>(ranks) / devices);
        places.push_back({rank, rank * hosts / std::max(1, ranks)});
    }
    return places;
}

int coresOf(const std::vector<DeviceSheet>& found) {
    std::int64_t most = 1;
    for (const DeviceSheet& sheet : found) {
        most = std::max(most, sheet.cores);
    }
    return static_cast<int>(most);
}

} // namespace weft
