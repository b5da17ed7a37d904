// SPDX-License-Identifier: Apache-2.0
#pragma once
// Compares the measured profile of a run with the preview of its design on the same devices.

#include <weft/devices.h>
#include <weft/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace weft {

/// Predicted and measured time per step of one layer.
struct LayerComparison {
    Origin origin;
    std::string name;           ///< as shown to the user: "block[2]/conv1"
    Nanoseconds predicted = {}; ///< computation per step
    Nanoseconds measured = {};  ///< computation per step
    TimeBand band = {};         ///< for the predicted time
    Nanoseconds predictedCommunication = {};
    Nanoseconds measuredCommunication = {};
    Nanoseconds measuredWaiting = {}; ///< for other devices to join the layer's collectives
};

struct Comparison {
    std::string run;            ///< name of the run
    Nanoseconds predicted = {}; ///< per step
    Nanoseconds measured = {};  ///< per step, median over the run
    Nanoseconds waiting = {};   ///< per step, for other devices, on the device that waits longest
    TimeBand band = {};         ///< for the predicted time
    std::vector<LayerComparison> layers;
};

/// Compares a run with the prediction for the devices and ranks of its last attempt. Throws
/// Error{file} if the folder holds no run, Error{format} if nothing was measured, Error{usage} if
/// nothing can be predicted.
[[nodiscard]] Comparison compareRun(const std::filesystem::path& folder);
[[nodiscard]] std::string print(const Comparison& comparison);
[[nodiscard]] std::string jsonOf(const Comparison& comparison);

} // namespace weft
