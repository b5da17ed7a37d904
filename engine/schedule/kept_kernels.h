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

struct KeptKernel;

/// By the node of the plan: a group stands with its first.
using KeptKernels = std::map<PlanNodeId, std::vector<KeptKernel>>;

struct KeptKernel {
    std::string task; ///< "conv1: conv2d+bias"
    std::string implementation;
    std::vector<std::string> formats; ///< of what it makes
    /// Kernels of a repeat's body that run in turn.
    std::shared_ptr<const KeptKernels> rounds = {};
};

} // namespace weft
