// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a program will hold: the step at which most of its work arena is alive, and what is alive
// then.

#include "schedule/program.h"

#include <string>
#include <vector>

namespace weft {

struct PeakShare {
    std::string layer; ///< whose step made it; "fed" for what is handed in
    Bytes bytes = {};
    bool operator==(const PeakShare&) const = default;
};

struct MemoryPeak {
    int step = -1; ///< index into the program's steps; -1: nothing is alive anywhere
    Bytes alive = {};
    std::vector<PeakShare> shares = {}; ///< largest first
};

[[nodiscard]] MemoryPeak peakOf(const Program& program);

} // namespace weft
