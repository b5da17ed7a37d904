// SPDX-License-Identifier: Apache-2.0
#pragma once
// Analyses one step of a timeline: its collectives, measured and predicted, and the critical path.
// Pure.

#include <weft/timeline.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weft::ui {

struct CollectiveRow {
    std::string kind;  ///< such as "all-reduce"
    std::string where; ///< the value, or else its layer
    std::string layer; ///< full name
    Bytes bytes = {};  ///< on the device that sends most
    Nanoseconds predicted = {};
    Nanoseconds measured = {}; ///< on the slowest device, after all devices have arrived
    Nanoseconds exposed = {};  ///< part of `measured` without computation on that device
    Nanoseconds waited = {};   ///< on the device that waited longest for others
    DeviceId lastToArrive;
    std::int64_t begin = 0; ///< first arrival of a device
    bool operator==(const CollectiveRow&) const = default;
};
/// Returns collectives in the order of their start. Either timeline may be empty.
[[nodiscard]] std::vector<CollectiveRow> collectivesOf(const Timeline& measured,
                                                       const Timeline& predicted);

/// A part of the critical path, which ends with the step. Each predecessor is the span that ended
/// last before, on the same device, or on any device if a collective waits for others.
struct CriticalSpan {
    Nanoseconds begin = {};
    Nanoseconds end = {};
    bool isExposed = false; ///< communication or idle time
    std::string layer = {}; ///< full name; empty: idle
};
[[nodiscard]] std::vector<CriticalSpan> criticalPath(const Timeline& step);

/// Iterations of a layer within a step, as in lca.
struct Iterations {
    std::string layer; ///< full name
    std::int64_t count = 0;
    Nanoseconds each = {}; ///< on the slowest device
    bool operator==(const Iterations&) const = default;
};
/// Returns the iterations of the layer that spends most time in them; std::nullopt if no layer
/// iterates, or if devices communicate within an iteration, whose spans are then separate.
[[nodiscard]] std::optional<Iterations> iterationsOf(const Timeline& step);

/// Fraction of the communication time of all devices during which the device also computed.
[[nodiscard]] double overlapOf(const std::vector<StepTotals>& totals);

} // namespace weft::ui
