// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which of a library's ways to compute a design is the fastest on the chips that are here:
// measured, and kept with their rates for later processes, which plan and run with them.

#include <weft/design.h>
#include <weft/devices.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace weft {

struct PlanTrialsRequest {
    std::vector<std::string> devices = {}; ///< on which it is placed; empty: those it declares
    std::filesystem::path folder = {};     ///< where its data are looked for
    std::function<bool(double done)> progress = {}; ///< as CalibrationRequest's
};

struct PlanTrial {
    std::string device; ///< on which it was measured, for all of its model
    std::string name;   ///< what is computed
    std::size_t ways = 0;
    MeasuredPlan first; ///< which the library expects to be the fastest
    MeasuredPlan best;
};

/// Measures every library call of the run's programs. Error{design} if the design has errors,
/// Error{device} if there is nothing to measure.
[[nodiscard]] std::vector<PlanTrial> measurePlans(const Design& design,
                                                  const PlanTrialsRequest& request = {});

} // namespace weft
