// SPDX-License-Identifier: Apache-2.0
#pragma once
// The body of a repeat on one device, for a kernel that computes all iterations: requests over
// numbered values, each value written by one member. Loop-carried values have different numbers at
// the begin and end of an iteration. Sums are accumulated in the order of the iterations.

#include "device/kernel.h"
#include "graph/repeat.h"

#include <cstdint>
#include <vector>

namespace weft {

struct RepeatBody {  ///< one iteration of a repeat on one device
    RepeatForm form; ///< number of iterations, and of operands and results of each kind
    std::vector<TensorPart> values; ///< values of one iteration; aliases share a number
    std::vector<int> operands; ///< value per operand of the repeat; -1: this device holds no part
    std::vector<int> results;  ///< value per result of the repeat
    std::vector<KernelRequest> members;           ///< in an executable order
    std::vector<std::vector<int>> reads;          ///< values, by member and operand
    std::vector<std::vector<int>> writes;         ///< values, by member and result
    std::vector<std::vector<std::uint64_t>> keys; ///< random keys, by member and iteration
};

} // namespace weft
