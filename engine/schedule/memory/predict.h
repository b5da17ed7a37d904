// SPDX-License-Identifier: Apache-2.0
#pragma once
// The peak memory of a program: the step at which most of its work arena is in use, and what uses
// it.

#include "schedule/program.h"

#include <string>
#include <vector>

namespace weft {

struct PeakShare {
    std::string layer; ///< the layer whose step made it; "fed" for inputs
    Bytes bytes = {};
    bool operator==(const PeakShare&) const = default;
};

struct MemoryPeak {
    int step = -1;    ///< index into the program's steps; -1: nothing is alive at any step
    Bytes alive = {}; ///< memory in use then
    std::vector<PeakShare> shares = {}; ///< largest first
};

[[nodiscard]] MemoryPeak peakOf(const Program& program);

} // namespace weft
