// SPDX-License-Identifier: Apache-2.0
#include "comm/world.h"
#include "compile/local_names.h"
#include "compile/rank_hosts.h"
#include "compile/registry.h"
#include "compile/spread.h"
#include "run/train/open_workers.h"
#include "run/train/run_controls.h"
#include "run/train/watchdog.h"
#include <weft/devices.h>
#include <weft/error.h>
#include <weft/launch.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
#include <span>
#include <sstream>
#include <utility>

namespace weft {

namespace {

constexpr std::chrono::seconds limit{60};

/// Returns the local name of each device, under which its rank opens it.
std::vector<std::string> namesToOpen(const RankSpread& spread, const Registry& registry,
                                     World& world) {
    const std::vector<std::int64_t> said =
        allGatherNumber(world, visibleChipsHash(registry.backends, world.host()), limit);
    std::vector<std::int64_t> counted;
    std::ranges::transform(spread.rankOf, std::back_inserter(counted),
                           [&](int rank) { return said[static_cast<std::size_t>(rank)]; });
    return localNames(spread.devices, counted);
}

/// Returns a line per reason why devices of this rank cannot be opened.
std::string missingHere(const std::vector<std::string>& devices, World& world) {
    const auto registry = makeRegistry();
    const RankSpread spread =
        spreadOver(devicesOnRanks({}, devices, world.ranks()), world.ranks(), world.rank());
    const std::vector<std::string> local = namesToOpen(spread, *registry, world);
    std::map<std::pair<std::string, std::string>, std::string> namesByReason;
    for (const DeviceId id : spread.local) {
        const std::string& name = spread.devices[id.value];
        try {
            (void)openDevice(*registry, local[id.value], 1);
        } catch (const Error& error) {
            std::string& names = namesByReason[{error.problem(), error.remedy()}];
            names += (names.empty() ? "" : ", ") + name;
        }
    }
    std::string text;
    for (const auto& [reason, names] : namesByReason) {
        const int rank = world.ranks() > 1 ? world.rank() : -1;
        const Error error(ErrorCode::device, {.rank = rank, .host = world.host(), .op = names},
                          reason.first, reason.second);
        text += std::string(error.what()) + '\n';
    }
    return text;
}

/// Sends the text of rank `from` to rank 0, which returns it.
std::string broughtToFirst(int from, const std::string& mine, World& world) {
    std::uint64_t size = mine.size();
    world.bringToFirst(from, std::as_writable_bytes(std::span(&size, 1)), limit);
    std::string text = mine;
    text.resize(size);
    world.bringToFirst(from, std::as_writable_bytes(std::span(text)), limit);
    return text;
}

/// Returns on rank 0 the missing devices of all ranks; empty on other ranks.
std::string missingAnywhere(const std::vector<std::string>& devices, World& world) {
    std::string text = missingHere(devices, world);
    for (int from = 1; from < world.ranks(); ++from) {
        if (world.rank() == from) {
            (void)broughtToFirst(from, text, world);
            text.clear();
        } else if (world.rank() == 0) {
            text += broughtToFirst(from, "", world);
        }
    }
    return text;
}

} // namespace

std::vector<std::string> missingDevices(const std::vector<std::string>& devices) {
    RunControls controls;
    Watchdog watchdog(controls);
    std::string text;
    watchdog.inWorld([&](World& world) { text = missingAnywhere(devices, world); });
    if (!text.empty()) { // tells the launcher that this rank reports the error
        (void)watchdog.reportFailure(Error(ErrorCode::device, {}, "devices are missing", ""), 0);
    }
    watchdog.farewell();
    std::istringstream lines(text);
    std::vector<std::string> sentences;
    for (std::string line; std::getline(lines, line);) {
        sentences.push_back(line);
    }
    return sentences;
}

} // namespace weft
