// SPDX-License-Identifier: Apache-2.0
#include "run/train/admit_memory.h"

#include "base/process/host_memory.h"
#include "compile/host_share.h"
#include "run/train/training_run.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace weft {

namespace {

/// What a run needs of one memory, and the devices that need it.
struct Wanted {
    std::vector<std::string> devices = {};
    std::string local = {}; ///< name of a chip on its host, if the design names it differently
    ArenaNeed need = {};
    Bytes available = {};
};

/// Returns a smaller batch that fits. Work memory grows with the batch; slots and their gradients,
/// which take twice the size of the slots, do not.
std::int64_t batchThatFits(const Wanted& wanted, std::int64_t batch) {
    const double perExample =
        static_cast<double>(wanted.need.work.count) / static_cast<double>(batch);
    const double there = static_cast<double>(wanted.available.count) -
                         2 * static_cast<double>(wanted.need.slots.count);
    std::int64_t smaller = batch / 2;
    while (smaller >= 1 && static_cast<double>(smaller) * perExample > there) {
        smaller /= 2;
    }
    return smaller;
}

void requireEnough(const Wanted& wanted, const RunRequest& request) {
    const Bytes all = wanted.need.deviceBytes();
    if (wanted.available.count <= 0 || all <= wanted.available) {
        return;
    }
    const std::size_t more = wanted.devices.size() - 1;
    const std::int64_t batch = batchThatFits(wanted, request.design->data.batch);
    throw Error(
        ErrorCode::memory, Where{.host = request.party == nullptr ? "" : request.party->host},
        fmt::format("{}{}{} with data.batch {} {} {} of memory, and {} are there",
                    wanted.devices.front(), more == 0 ? "" : fmt::format(" and {} more", more),
                    wanted.local.empty() ? "" : fmt::format(" on its {}", wanted.local),
                    request.design->data.batch, more == 0 ? "needs" : "need", toString(all),
                    toString(wanted.available)),
        batch > 0 ? fmt::format("set data.batch to {}", batch)
                  : fmt::format("a smaller batch does not help: {} are missing; free memory, or "
                                "run on a machine with more",
                                toString(all - wanted.available)));
}

/// Returns the sum of `mine` over all ranks of this host.
Bytes onHost(const RunRequest& request, Bytes mine) {
    if (request.party == nullptr || !request.party->gatherNumbers) {
        return mine;
    }
    const std::vector<std::int64_t> said = request.party->gatherNumbers(mine.count);
    Bytes sum;
    std::vector<bool> isCounted(said.size(), false);
    for (const DevicePlace& place : request.party->links.places) {
        const auto rank = static_cast<std::size_t>(place.rank);
        if (place.host == request.party->links.places[request.local.front()].host &&
            !isCounted[rank]) {
            isCounted[rank] = true;
            sum += Bytes{said[rank]};
        }
    }
    return sum;
}

/// Returns the names of chips on which several ranks have workers. All ranks get the same list.
std::set<std::string> sharedChips(const RunRequest& request) {
    std::map<std::pair<int, std::string>, std::set<int>> ranks;
    const auto& places =
        request.party == nullptr ? std::vector<DevicePlace>{} : request.party->links.places;
    for (std::size_t k = 0; k < places.size(); ++k) {
        ranks[{places[k].host, chipOf(request.devices[k])}].insert(places[k].rank);
    }
    std::set<std::string> shared;
    for (const auto& [chip, of] : ranks) {
        if (of.size() > 1) {
            shared.insert(chip.second);
        }
    }
    return shared;
}

/// Returns the devices of this rank's host.
std::vector<std::string> devicesHere(const RunRequest& request) {
    std::vector<std::string> devices;
    const std::vector<int> hosts = hostsOf(request);
    for (std::size_t k = 0; k < request.devices.size(); ++k) {
        if (hosts[k] == hosts[request.local.front()]) {
            devices.push_back(request.devices[k]);
        }
    }
    return devices;
}

} // namespace

void admitMemory(const RunRequest& request, const std::vector<const LocalDevice*>& devices,
                 const std::vector<ArenaNeed>& needs) {
    Wanted host;
    std::map<std::string, Wanted> chips;
    for (std::size_t k = 0; k < devices.size(); ++k) {
        if (devices[k]->device->sheet().memory.count == 0) {
            continue; // the device needs no memory, or its memory is unknown
        }
        const bool isOnHost = devices[k]->backend->space == MemorySpace::host;
        host.need.work += isOnHost ? Bytes{} : needs[k].hostBytes();
        const std::string chip = chipOf(devices[k]->name);
        Wanted& wanted = isOnHost ? host : chips[chip];
        if (const std::string local = chipOf(devices[k]->local); !isOnHost && local != chip) {
            wanted.local = local;
        }
        wanted.need.slots += needs[k].slots;
        wanted.need.work += needs[k].work + needs[k].ahead;
        wanted.available = devices[k]->device->freeMemory();
    }
    // Read before any rank allocates: the exchanges below synchronise the ranks of a host.
    host.available = freeHostMemory();
    host.need = {onHost(request, host.need.slots), onHost(request, host.need.work)};
    for (const std::string& name : sharedChips(request)) {
        const auto known = chips.find(name);
        const ArenaNeed mine = known == chips.end() ? ArenaNeed{} : known->second.need;
        const ArenaNeed all{onHost(request, mine.slots), onHost(request, mine.work)};
        if (known != chips.end()) {
            known->second.need = all;
        }
    }
    host.devices = devicesHere(request);
    for (auto& [name, chip] : chips) {
        std::ranges::copy_if(host.devices, std::back_inserter(chip.devices),
                             [&](const std::string& device) { return chipOf(device) == name; });
        requireEnough(chip, request);
    }
    requireEnough(host, request);
}

} // namespace weft
