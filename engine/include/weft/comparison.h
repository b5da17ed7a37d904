// SPDX-License-Identifier: Apache-2.0
#pragma once
// A run laid beside the preview of its own design on its own devices: what was predicted, and what
// was measured.

#include <weft/devices.h>
#include <weft/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace weft {

/// One layer of a run: what was predicted beside what its profile measured, per step.
struct LayerComparison {
    Origin origin;
    std::string name;
    Nanoseconds predicted = {};
    Nanoseconds measured = {};
    TimeBand band = {}; ///< of the predicted one
    Nanoseconds predictedCommunication = {};
    Nanoseconds measuredCommunication = {};
    Nanoseconds measuredWaiting = {}; ///< for the other devices of its collectives to come
};

struct Comparison {
    std::string run;
    Nanoseconds predicted = {}; ///< a step
    Nanoseconds measured = {};  ///< a step, in the middle of the run's
    Nanoseconds waiting = {};   ///< for others in a step, of the device that waits most
    TimeBand band = {};         ///< of the predicted one
    std::vector<LayerComparison> layers;
};

/// Compares a run directory on the devices and ranks of its last attempt. Error{file} if it holds
/// no run, Error{format} if nothing was measured, Error{usage} if nothing is predicted.
[[nodiscard]] Comparison compareRun(const std::filesystem::path& folder);
[[nodiscard]] std::string print(const Comparison& comparison);
[[nodiscard]] std::string jsonOf(const Comparison& comparison);

} // namespace weft
