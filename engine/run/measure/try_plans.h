// SPDX-License-Identifier: Apache-2.0
#pragma once
// Times the alternative implementations of kernels in programs, a library's and Weft's, so that
// the fastest can be kept. Times are measured between device events around captured repeats, on
// random operands that are not in the device's cache.

#include "run/measure/calibrate.h"
#include "schedule/program.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace weft {

/// Kernel choices with several alternatives, by what they compute.
using ChoicesWithAlternatives = std::map<std::string, std::shared_ptr<const KernelChoice>>;
/// Adds the choices of a program, including those in the bodies of its repeats.
void addChoicesWithAlternatives(const Program& program, ChoicesWithAlternatives& choices);

struct TimedAlternatives {
    std::string name;        ///< what the kernels compute
    std::size_t ways = 0;    ///< number of alternatives
    std::size_t dropped = 0; ///< alternatives dropped after their first times, as much slower
    MeasuredPlan first;      ///< the alternative that is used without measurements
    MeasuredPlan best;
};
/// Times all alternatives on the calling thread, which becomes a stream of the device. Leaves out
/// choices that no alternative can compute. Throws Error{stopped} if `progress` asks to stop.
[[nodiscard]] std::vector<TimedAlternatives>
timeAlternatives(Device& device, const ChoicesWithAlternatives& choices,
                 const MeasuringProgress& progress = {});

} // namespace weft
