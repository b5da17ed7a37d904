// SPDX-License-Identifier: Apache-2.0
#pragma once
// What an earlier attempt of a run computed a program's steps with: select takes the same kernels
// again where they are to be had.

#include "place/plan.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace weft {

struct CachedKernel;

/// By the node of the plan: a group stands with its first.
using CachedKernels = std::map<PlanNodeId, std::vector<CachedKernel>>;

struct CachedKernel {
    std::string task; ///< "conv1: conv2d+bias"
    std::string implementation;
    std::vector<std::string> formats; ///< of what it makes
    /// Kernels of a repeat's body that run in turn.
    std::shared_ptr<const CachedKernels> rounds = {};
};

} // namespace weft
