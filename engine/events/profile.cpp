// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"
#include <weft/profile.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
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

Profile profileOf(const Timeline& timeline) {
    Profile profile;
    std::set<std::int64_t> steps;
    for (const TimelineSpan& span : timeline.spans) {
        const SpanSite& site = timeline.siteOf(span);
        steps.insert(span.step);
        profile.add({.origin = site.origin,
                     .layer = site.layer,
                     .pass = site.pass,
                     .kind = site.kind,
                     .device = span.device,
                     .time = span.duration});
    }
    for (ProfileEntry& entry : profile.entries) {
        entry.steps = static_cast<std::int64_t>(steps.size());
    }
    return profile;
}

std::string print(const Profile& profile) {
    TextTable table({{"layer"},
                     {"pass"},
                     {"kind"},
                     {"device", Align::right},
                     {"per step", Align::right},
                     {"share", Align::right}});
    std::map<DeviceId, std::int64_t> wholes;
    for (const ProfileEntry& entry : profile.entries) {
        wholes[entry.device] += entry.time.count;
    }
    for (const ProfileEntry& entry : profile.entries) {
        const auto whole = static_cast<double>(std::max<std::int64_t>(1, wholes[entry.device]));
        table.addRow(
            {entry.layer, std::string(nameOf(entry.pass)), std::string(nameOf(entry.kind)),
             std::to_string(entry.device.value), toString(entry.perStep()),
             fmt::format("{:.1f} %", 100 * static_cast<double>(entry.time.count) / whole)});
    }
    return table.text();
}

} // namespace weft
