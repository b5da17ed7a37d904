// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How a run stands, in the numbers that people ask for first: how far, how fast, how long yet. Read
// from what a hub and a prediction hold; pure but for the clock.

#include "session/run_hub.h"
#include <weft/estimate.h>

#include <optional>

namespace weft::ui {

struct RunStatus {
    std::int64_t step = 0;                       ///< done
    std::optional<std::int64_t> steps = {};      ///< that it is to do
    std::optional<double> secondsLeft = {};      ///< of a run that goes on
    std::optional<double> stepSeconds = {};      ///< the middle of the last ones
    std::optional<double> throughput = {};       ///< examples per second, the mean of the last ones
    std::optional<double> predictedStep = {};    ///< seconds
    std::optional<double> predictedRate = {};    ///< examples per second
    std::optional<std::int64_t> checkpoint = {}; ///< the step of the last one
    std::optional<double> checkpointAge = {};    ///< seconds
};

/// `estimate`: nullptr where nothing is predicted. `now`: Unix time in seconds.
[[nodiscard]] RunStatus statusOf(const RunHub& hub, const Estimate* estimate, double now);

} // namespace weft::ui
