// SPDX-License-Identifier: Apache-2.0
#include "run/host_share.h"

#include "base/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>

namespace weft {

namespace {

/// By device, the cores that it declares; 0: none.
std::vector<int> declaredCores(const Design& design, const std::vector<std::string>& devices) {
    std::unordered_map<std::string_view, int> byName;
    for (const DeviceDeclaration& one : design.devices) {
        byName[one.name] = static_cast<int>(std::clamp<std::int64_t>(one.cores, 0, limits::cores));
    }
    std::vector<int> declared;
    for (const std::string& device : devices) {
        const auto found = byName.find(device);
        declared.push_back(found == byName.end() ? 0 : found->second);
    }
    return declared;
}

/// What the devices of one host take of its cores.
struct Taken {
    int declared = 0;
    int sharing = 0;                          ///< devices that declare no number
    [[nodiscard]] int each(int cores) const { // an even part, and a thread at least
        return std::max(1, (cores - declared) / std::max(1, sharing));
    }
    [[nodiscard]] int all(int cores) const { return declared + sharing * each(cores); }
};

} // namespace

std::vector<HostShare> hostShares(const Design& design, const std::vector<std::string>& devices,
                                  const std::vector<int>& hosts, int cores) {
    const std::vector<int> declared = declaredCores(design, devices);
    std::map<int, Taken> byHost;
    for (std::size_t k = 0; k < devices.size(); ++k) {
        Taken& taken = byHost[hosts[k]];
        taken.declared += declared[k];
        taken.sharing += declared[k] > 0 ? 0 : 1;
    }
    std::vector<HostShare> shares(devices.size());
    for (std::size_t k = 0; k < devices.size(); ++k) {
        if (hosts[k] == noHost) {
            continue;
        }
        const Taken& taken = byHost[hosts[k]];
        const int all = taken.all(cores);
        shares[k] = {.host = hosts[k],
                     .cores = declared[k] > 0 ? declared[k] : taken.each(cores),
                     .share = all > cores ? static_cast<double>(cores) / all : 1,
                     .taken = all};
    }
    return shares;
}

std::vector<Diagnostic> checkShares(const std::vector<HostShare>& shares, int cores) {
    const auto most = std::ranges::max_element(shares, {}, &HostShare::taken);
    if (most == shares.end() || most->share == 1) {
        return {};
    }
    const auto devices = std::ranges::count(shares, most->host, &HostShare::host);
    return {
        {.code = "W071",
         .severity = Severity::warning,
         .attribute = "devices",
         .text = fmt::format("{} on one host {} {} cores of the {} it has: they take turns, and "
                             "compute no faster than {} would",
                             devices == 1 ? "one device" : fmt::format("{} devices", devices),
                             devices == 1 ? "takes" : "take", most->taken, cores,
                             cores == 1 ? "one core" : fmt::format("{} cores", cores)),
         .fix = {fmt::format("take {} cores of a host at most, or more hosts", cores), {}}}};
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
