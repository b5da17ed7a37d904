// SPDX-License-Identifier: Apache-2.0
#pragma once
// The kernels that an earlier attempt of a run used for a program's steps. Select chooses the same
// kernels again if they are available.

#include "place/plan.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace weft {

struct CachedKernel;

/// By node of the plan; a group is listed under its first node.
using CachedKernels = std::map<PlanNodeId, std::vector<CachedKernel>>;

struct CachedKernel {
    std::string task; ///< "conv1: conv2d+bias"
    std::string implementation;
    std::vector<std::string> formats;                 ///< formats of the results
    std::shared_ptr<const CachedKernels> rounds = {}; ///< kernels of a repeat's body
};

} // namespace weft
