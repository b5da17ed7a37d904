// SPDX-License-Identifier: Apache-2.0
#include <weft/profile.h>

#include <algorithm>
#include <tuple>

namespace weft {

namespace {

auto keyOf(const ProfileEntry& entry) {
    return std::tie(entry.origin, entry.pass, entry.kind, entry.device);
}

} // namespace

void Profile::add(const ProfileEntry& entry) {
    const auto at = std::lower_bound(
        entries.begin(), entries.end(), entry,
        [](const ProfileEntry& a, const ProfileEntry& b) { return keyOf(a) < keyOf(b); });
    if (at == entries.end() || keyOf(*at) != keyOf(entry)) {
        entries.insert(at, entry);
        return;
    }
    at->steps += entry.steps;
    at->time += entry.time;
}

Nanoseconds Profile::timeOf(Origin origin) const {
    Nanoseconds time;
    for (const ProfileEntry& entry : entries) {
        if (entry.origin == origin) {
            time += entry.time;
        }
    }
    return time;
}

} // namespace weft
