// SPDX-License-Identifier: Apache-2.0
#include "run/agreement.h"

#include "base/hash.h"
#include <weft/error.h>

#include <chrono>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

namespace weft {

namespace {

constexpr std::chrono::seconds limit{60};

/// In what format each slot lies here; "?" where none of it does.
std::vector<std::string> slotFormats(const WorkerPool& pool) {
    std::vector<std::string> formats;
    for (std::size_t w = 0; w < pool.size(); ++w) {
        const auto& slots = pool.program(w, 0).program().slots;
        formats.resize(slots.size(), "?");
        for (std::size_t s = 0; s < slots.size(); ++s) {
            formats[s] = slots[s].isHeld ? slots[s].part.format.tag : formats[s];
        }
    }
    return formats;
}

} // namespace

std::uint64_t fingerprintOf(const Family& family) {
    std::uint64_t sum = 0;
    for (const FamilyMember& member : family.members) {
        sum = hash64(print(*member.plan), sum);
    }
    return sum;
}

void compareFingerprints(const Family& family, World& world) {
    const std::uint64_t mine = fingerprintOf(family);
    std::vector<std::byte> bytes(sizeof(mine));
    std::memcpy(bytes.data(), &mine, sizeof(mine));
    world.shareFromFirst(bytes, limit);
    std::uint64_t first = 0;
    std::memcpy(&first, bytes.data(), sizeof(first));
    if (first != mine) {
        throw Error(ErrorCode::peer, Where{.rank = world.rank(), .host = world.host()},
                    "this rank made another plan than rank 0",
                    "give all ranks the same design and version of Weft");
    }
}

void compareFormats(const Family& family, const WorkerPool& pool, World& world) {
    const std::vector<std::string> mine = slotFormats(pool);
    std::string text;
    for (const std::string& format : mine) {
        text += format + "\n";
    }
    std::vector<std::byte> bytes(text.size());
    std::memcpy(bytes.data(), text.data(), text.size());
    world.shareFromFirst(bytes, limit);
    std::istringstream lines(
        std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    std::string first;
    for (std::size_t s = 0; s < mine.size() && std::getline(lines, first); ++s) {
        if (first != mine[s] && first != "?" && mine[s] != "?") {
            throw Error(ErrorCode::peer, Where{.rank = world.rank(), .host = world.host()},
                        family.members.front().plan->graph->slots[s].name + " lies here as '" +
                            mine[s] + "', on rank 0 as '" + first + "'",
                        "run on processors of one kind");
        }
    }
}

std::filesystem::path pathEverywhere(const std::filesystem::path& path, World& world) {
    const std::string text = path.empty() ? "" : std::filesystem::absolute(path).string();
    std::vector<std::byte> bytes(text.size());
    std::memcpy(bytes.data(), text.data(), text.size());
    world.shareFromFirst(bytes, limit);
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

} // namespace weft
