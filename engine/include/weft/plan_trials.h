// SPDX-License-Identifier: Apache-2.0
#pragma once
// Measures which of a library's algorithms is the fastest for a design on the devices of this
// machine. Results are stored with the measured rates, and later processes plan and run with them.

#include <weft/design.h>
#include <weft/devices.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace weft {

struct PlanTrialsRequest {
    std::vector<std::string> devices = {}; ///< devices of the design; empty: those it declares
    std::filesystem::path folder = {};     ///< search folder of the design's data
    std::function<bool(double done)> progress = {}; ///< as in CalibrationRequest
};

struct PlanTrial {
    std::string device;   ///< measured device; the result is valid for all of its model
    std::string name;     ///< the computation
    std::size_t ways = 0; ///< number of algorithms that were measured
    MeasuredPlan first;   ///< the library's first choice
    MeasuredPlan best;    ///< the fastest that was measured
};

/// Measures every library call of the run's programs. Throws Error{design} if the design has
/// errors, and Error{device} if there is nothing to measure.
[[nodiscard]] std::vector<PlanTrial> measurePlans(const Design& design,
                                                  const PlanTrialsRequest& request = {});

} // namespace weft
