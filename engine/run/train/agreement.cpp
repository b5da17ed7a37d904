// SPDX-License-Identifier: Apache-2.0
#include "run/train/agreement.h"

#include "base/files/files.h"
#include "base/hash.h"
#include "device/sheet_json.h"
#include <weft/error.h>
#include <weft/runs.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace weft {

namespace {

constexpr std::chrono::seconds limit{60};

/// A slot's format for exchange between ranks; longer than any tag.
using Tag = std::array<char, 32>;

/// Returns each slot's format on each device, device by device. Entries of other ranks' devices are
/// blank.
std::vector<Tag> slotFormats(const ProgramSet& programSet, const WorkerPool& pool) {
    const Plan& plan = *programSet.members.front().plan;
    std::vector<Tag> formats(plan.devices.size() * plan.slots.size());
    for (std::size_t w = 0; w < pool.size(); ++w) {
        const Program& program = pool.program(w, 0).program();
        for (std::size_t s = 0; s < program.slots.size(); ++s) {
            const std::string& tag = program.slots[s].part.format.tag;
            Tag& format = formats[program.device.value * plan.slots.size() + s];
            tag.copy(format.data(), format.size() - 1);
        }
    }
    return formats;
}

/// Gives all ranks the entries of every rank's devices.
void exchange(std::vector<Tag>& formats, std::size_t slots, const std::vector<int>& rankOf,
              World& world) {
    for (std::size_t d = 0; d < rankOf.size(); ++d) {
        if (rankOf[d] != 0) {
            world.bringToFirst(rankOf[d],
                               std::as_writable_bytes(std::span(formats).subspan(d * slots, slots)),
                               limit);
        }
    }
    const auto mine = std::as_bytes(std::span(formats));
    std::vector<std::byte> all(mine.begin(), mine.end());
    world.shareFromFirst(all, limit);
    std::memcpy(formats.data(), all.data(), mine.size());
}

bool hasSameDevices(const MachineSheet& a, const MachineSheet& b) {
    return std::ranges::equal(a.devices, b.devices, [](const auto& one, const auto& other) {
        return one.backend == other.backend && one.model == other.model && one.cores == other.cores;
    });
}

MachineSheet plannedFor(const std::filesystem::path& run) {
    MachineSheet now = thisMachine();
    if (run.empty()) {
        return now;
    }
    MachineSheet then = machineOf(run);
    return hasSameDevices(then, now) ? then : now;
}

/// Returns rank 0's text on every rank.
std::string textEverywhere(const std::string& text, World& world) {
    std::vector<std::byte> bytes(text.size());
    std::memcpy(bytes.data(), text.data(), text.size());
    world.shareFromFirst(bytes, limit);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace

std::uint64_t fingerprintOf(const ProgramSet& programSet) {
    std::uint64_t sum = 0;
    for (const Variant& member : programSet.members) {
        sum = hash64(print(*member.plan), sum);
    }
    return sum;
}

void compareFormats(const ProgramSet& programSet, const WorkerPool& pool,
                    const std::vector<int>& rankOf, World& world) {
    const Plan& plan = *programSet.members.front().plan;
    std::vector<Tag> formats = slotFormats(programSet, pool);
    if (world.ranks() == 1 || formats.empty()) {
        return;
    }
    exchange(formats, plan.slots.size(), rankOf, world);
    for (std::size_t s = 0; s < plan.slots.size(); ++s) {
        std::map<std::vector<std::int64_t>, std::size_t> holders;
        for (std::uint32_t d = 0; d < plan.devices.size(); ++d) {
            const Box box = plan.boxOf(plan.slots[s].home, {d});
            std::vector<std::int64_t> part = box.begin;
            part.insert(part.end(), box.end.begin(), box.end.end());
            const std::size_t first = holders.try_emplace(std::move(part), d).first->second;
            const Tag& mine = formats[d * plan.slots.size() + s];
            const Tag& other = formats[first * plan.slots.size() + s];
            if (mine != other && !box.isEmpty()) {
                throw Error(
                    ErrorCode::peer, Where{.rank = world.rank(), .host = world.host()},
                    fmt::format("{} has the memory format '{}' on {} of rank {}, but '{}' on {} of "
                                "rank {}, so that their gradients cannot be summed",
                                plan.graph->slots[s].name, mine.data(), plan.devices[d], rankOf[d],
                                other.data(), plan.devices[first], rankOf[first]),
                    "use processors of the same model on all ranks");
            }
        }
    }
}

MachineSheet machineOf(const std::filesystem::path& run) {
    constexpr std::size_t mostBytes = std::size_t{256} << 20U; // room for all measured rates
    const std::filesystem::path kept = run / machineFile;
    std::error_code ignored; // a path that is not a file fails when it is read
    if (std::filesystem::status(kept, ignored).type() == std::filesystem::file_type::not_found) {
        return thisMachine();
    }
    try {
        return readMachine(readFile(kept, mostBytes), kept.string());
    } catch (const Error&) {
        return thisMachine(); // the sheet only describes the prediction
    }
}

MachineSheet broadcastMachine(World& world, const std::filesystem::path& run) {
    const std::string mine = world.rank() == 0 ? jsonText(asJson(plannedFor(run))) : "";
    return readMachine(textEverywhere(mine, world), "the hardware description of rank 0");
}

std::filesystem::path broadcastPath(const std::filesystem::path& path, World& world) {
    return textEverywhere(path.empty() ? "" : std::filesystem::absolute(path).string(), world);
}

ClockBegin broadcastClock(const ClockBegin& mine, World& world) {
    std::istringstream words(textEverywhere(std::to_string(mine.begin) + "\n" + mine.name, world));
    ClockBegin first;
    words >> first.begin;
    words.ignore();
    std::getline(words, first.name);
    return first;
}

} // namespace weft
