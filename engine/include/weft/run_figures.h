// SPDX-License-Identifier: Apache-2.0
#pragma once
// The numbers that stand for a run as a whole. A reader makes them of the run's logs, and whoever
// shows one of them, the list of runs or a window, takes it from here.

#include <weft/events.h>
#include <weft/types.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace weft {

/// What a run was given on one device: its slots and the largest arena of its programs.
struct DeviceMemory {
    DeviceId device;
    Bytes bytes = {};
    bool operator==(const DeviceMemory&) const = default;
};

/// A run's first number, less of which is better: its loss, or the energy where the design has no
/// loss.
[[nodiscard]] inline bool isFirstNumber(std::string_view metric) {
    return metric == "loss" || metric == "energy";
}

/// The least finite loss of a run's evaluations; of its training steps where none was evaluated.
/// What a resumed run did again counts as it was done last.
struct BestLoss {
    double loss = 0;
    std::int64_t step = 0;
    Split split = Split::evaluate;
    bool isEnergy = false; ///< it is one, as the design has no loss
    bool operator==(const BestLoss&) const = default;
};

struct RunFigures {
    /// The median of all training steps, each from the fetching of its batch to its last number on
    /// all devices, by rank 0's clock and to a part in 4096. Where steps differ, the median of the
    /// means over their periods; of fewer steps than one period, their mean. 0: there was no step.
    Nanoseconds step = {};
    std::int64_t steps = 0; ///< of which it is the median; what was done again is counted again
    std::optional<BestLoss> best = {};
    std::vector<DeviceMemory> memory = {}; ///< by device, of the last attempt
    bool operator==(const RunFigures&) const = default;
};

} // namespace weft
