// SPDX-License-Identifier: Apache-2.0
#pragma once
// Time per layer: the sum of all spans of one layer, pass and kind on one device. Recorded for
// every second of a run, also where the spans themselves are sampled.

#include <weft/timeline.h>
#include <weft/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace weft {

struct ProfileEntry {
    Origin origin = {};
    std::string layer = {}; ///< as shown to the user: "block[2]/conv1"
    Pass pass = Pass::forward;
    SpanKind kind = SpanKind::compute; ///< computation, communication, waiting, ...
    DeviceId device;
    std::int64_t steps = 0; ///< number of steps that `time` covers
    Nanoseconds time = {};  ///< sum over the spans
    bool operator==(const ProfileEntry&) const = default;

    [[nodiscard]] Nanoseconds perStep() const { return {steps > 0 ? time.count / steps : 0}; }
};

/// One entry per origin, pass, kind and device, sorted by them.
struct Profile {
    std::vector<ProfileEntry> entries;
    bool operator==(const Profile&) const = default;

    /// Adds the time to the entry with the same origin, pass, kind and device.
    void add(const ProfileEntry& entry);
    [[nodiscard]] Nanoseconds timeOf(Origin origin) const;
};

} // namespace weft
