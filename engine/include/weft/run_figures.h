// SPDX-License-Identifier: Apache-2.0
#pragma once
// The numbers that summarise a whole run. A reader computes them from the logs, for the list of
// runs and for windows.

#include <weft/events.h>
#include <weft/types.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace weft {

/// Memory that a run allocated on one device: its slots and the largest arena of its programs.
struct DeviceMemory {
    DeviceId device;
    Bytes bytes = {};
    bool operator==(const DeviceMemory&) const = default;
};

/// True for the main metric of a run, where less is better: its loss, or the energy if the design
/// has no loss.
[[nodiscard]] inline bool isMainMetric(std::string_view metric) {
    return metric == "loss" || metric == "energy";
}

/// The least finite loss over a run's evaluations, or over its training steps if it was never
/// evaluated. Steps repeated after a resume count with their latest result.
struct BestLoss {
    double loss = 0;
    std::int64_t step = 0;         ///< step with that loss
    Split split = Split::evaluate; ///< whether of training or of evaluation
    bool isEnergy = false;         ///< true: it is an energy, because the design has no loss
    bool operator==(const BestLoss&) const = default;
};

struct RunFigures {
    /// Median time of all training steps, from fetching the batch to the last result on all
    /// devices, by rank 0's clock, accurate to 1/4096. If steps differ in kind: the median of the
    /// means over periods, or the mean if there is no whole period. 0: there was no step.
    Nanoseconds step = {};  ///< median time of a training step; 0: no step
    std::int64_t steps = 0; ///< number of steps in the median; repeated steps count again
    std::optional<BestLoss> best = {};     ///< none: no finite loss yet
    std::vector<DeviceMemory> memory = {}; ///< by device, for the last attempt
    bool operator==(const RunFigures&) const = default;
};

} // namespace weft
