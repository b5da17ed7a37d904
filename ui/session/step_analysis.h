// SPDX-License-Identifier: Apache-2.0
#pragma once
// What one step of a timeline amounts to: its collectives, measured beside predicted, and the chain
// of spans that made it as long as it was. Pure.

#include <weft/timeline.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weft::ui {

struct CollectiveRow {
    std::string kind;  ///< "all-reduce"
    std::string where; ///< what it is of, else its layer
    std::string layer; ///< full name
    Bytes bytes = {};  ///< of the device that sends most
    Nanoseconds predicted = {};
    Nanoseconds measured = {}; ///< of the device that spends most, once all were there
    Nanoseconds exposed = {};  ///< of that, while nothing was computed there
    Nanoseconds waited = {};   ///< of the device that waited longest for the others
    DeviceId lastToArrive;
    std::int64_t begin = 0; ///< the first arrival of any device
    bool operator==(const CollectiveRow&) const = default;
};
/// In the order in which they began. Either may be empty.
[[nodiscard]] std::vector<CollectiveRow> collectivesOf(const Timeline& measured,
                                                       const Timeline& predicted);

/// A stretch of the chain that ends with the step: what ended last before each, looked for on the
/// same device, or on any where a collective waits for others.
struct CriticalSpan {
    Nanoseconds begin = {};
    Nanoseconds end = {};
    bool isExposed = false; ///< communication, or nothing at all
    std::string layer = {}; ///< full name; empty: nothing ran
};
[[nodiscard]] std::vector<CriticalSpan> criticalPath(const Timeline& step);

/// What a layer does again and again within a step, as lca does.
struct Iterations {
    std::string layer; ///< full name
    std::int64_t count = 0;
    Nanoseconds each = {}; ///< on the device that takes longest
    bool operator==(const Iterations&) const = default;
};
/// Iterations of the layer that takes longest for them; none if no layer iterates, or if devices
/// communicate within an iteration, whose spans are then separate.
[[nodiscard]] std::optional<Iterations> iterationsOf(const Timeline& step);

/// Fraction of the communication time of all devices during which the device also computed.
[[nodiscard]] double overlapOf(const std::vector<StepTotals>& totals);

} // namespace weft::ui
