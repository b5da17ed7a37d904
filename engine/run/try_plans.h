// SPDX-License-Identifier: Apache-2.0
#pragma once
// Times the ways in which a library computes what kernels of programs ask it for, so that the
// fastest can be kept: each as the middle of several rounds, in which all take turns.

#include "run/calibrate.h"
#include "schedule/program.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace weft {

/// Choices of kernels for which there are several ways, by what they compute.
using ChoicesWithWays = std::map<std::string, std::shared_ptr<const KernelChoice>>;
/// With those of a program, in the bodies of its repeats too.
void addChoicesWithWays(const Program& program, ChoicesWithWays& choices);

struct TriedWays {
    std::string name; ///< what they compute
    std::size_t ways = 0;
    MeasuredPlan first; ///< which the library expects to be the fastest
    MeasuredPlan best;
};
/// On the calling thread, which becomes a lane of the device. What the library offers nothing for
/// is left out. Error{stopped} where `progress` says so.
[[nodiscard]] std::vector<TriedWays> tryWays(Device& device, const ChoicesWithWays& choices,
                                             const MeasuringProgress& progress = {});

} // namespace weft
