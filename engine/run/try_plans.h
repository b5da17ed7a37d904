// SPDX-License-Identifier: Apache-2.0
#pragma once
// Times the ways in which kernels of programs can be computed, a library's and our own, so that the
// fastest can be kept. Times are those between marks of the device around repeats that it captured;
// operands are random and not in its cache.

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
    std::size_t dropped = 0; ///< of them, after their first times: they are much slower
    MeasuredPlan first;      ///< which is taken where nothing was measured
    MeasuredPlan best;
};
/// Times all ways on the calling thread, which becomes a stream of the device. What no way computes
/// is left out. Error{stopped} where `progress` says so.
[[nodiscard]] std::vector<TriedWays> tryWays(Device& device, const ChoicesWithWays& choices,
                                             const MeasuringProgress& progress = {});

} // namespace weft
