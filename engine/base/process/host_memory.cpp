// SPDX-License-Identifier: Apache-2.0
#include "base/process/host_memory.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace weft {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

/// Returns the number after `word` at the start of a line; for an empty word, the first number in
/// the file.
std::int64_t numberIn(const fs::path& path, const std::string& word, std::int64_t otherwise) {
    std::ifstream file(path);
    std::string first;
    std::int64_t number = 0;
    while (word.empty() || file >> first) {
        if (word.empty() || first == word) {
            return file >> number ? number : otherwise; // "max", or too large for a number
        }
        file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    return otherwise;
}

/// File and field names of the two versions of control groups.
struct GroupWords {
    std::string line; ///< controller in /proc/self/cgroup, before the group's path
    fs::path folder;  ///< root of all groups
    std::string limit;
    std::string used;
    std::string cached; ///< reclaimable part of the used memory
};

/// Returns the memory that one control group allows: its limit, or with `isFree` what is left of
/// it.
std::int64_t allowedBy(const fs::path& group, const GroupWords& words, bool isFree) {
    const std::int64_t limit = numberIn(group / words.limit, {}, unlimited);
    if (!isFree || limit == unlimited) {
        return limit;
    }
    const std::int64_t held =
        numberIn(group / words.used, {}, 0) - numberIn(group / "memory.stat", words.cached, 0);
    return std::max<std::int64_t>(1, limit - held);
}

/// Returns the least memory that the group and its parents allow. A container sees its own group as
/// the root.
std::int64_t allowedByAll(const fs::path& own, const GroupWords& words, bool isFree) {
    std::int64_t least = allowedBy(words.folder, words, isFree);
    for (fs::path at = own; !at.empty(); at = at.parent_path()) {
        least = std::min(least, allowedBy(words.folder / at, words, isFree));
    }
    return least;
}

std::int64_t allowed(const HostFiles& files, bool isFree) {
    const GroupWords makes[] = {
        {"0::/", files.groups, "memory.max", "memory.current", "inactive_file"},
        {":memory:/", files.groups / "memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
         "total_inactive_file"}};
    std::ifstream lines(files.proc / "self" / "cgroup");
    std::int64_t least = unlimited;
    for (std::string line; std::getline(lines, line);) {
        for (const GroupWords& words : makes) {
            const std::size_t found = line.find(words.line);
            if (found != std::string::npos) {
                const fs::path own = line.substr(found + words.line.size());
                least = std::min(least, allowedByAll(own, words, isFree));
            }
        }
    }
    return least;
}

Bytes leastOf(const HostFiles& files, const std::string& word, bool isFree) {
    const std::int64_t machines = numberIn(files.proc / "meminfo", word, 0) << 10;
    const std::int64_t least =
        std::min(machines > 0 ? machines : unlimited, allowed(files, isFree));
    return {least == unlimited ? 0 : least};
}

} // namespace

Bytes hostMemory(const HostFiles& files) { return leastOf(files, "MemTotal:", false); }
Bytes freeHostMemory(const HostFiles& files) { return leastOf(files, "MemAvailable:", true); }

} // namespace weft
