// SPDX-License-Identifier: Apache-2.0
#pragma once
// What one round of a repeat computes on this device, for a kernel that serves all rounds: requests
// over numbered values, each made by one member. What is carried ends a round as another value than
// it began; what is summed is added up in the order of the rounds.

#include "device/kernel.h"
#include "graph/repeat.h"

#include <cstdint>
#include <vector>

namespace weft {

struct RepeatBody {
    RepeatForm form;
    std::vector<TensorPart> values; ///< of one round; those that lie where another does are that
    std::vector<int> operands;      ///< by operand of the repeat: its value; -1: no part here
    std::vector<int> results;       ///< by result of the repeat
    std::vector<KernelRequest> members;   ///< in an order in which they can run
    std::vector<std::vector<int>> reads;  ///< values, by member and operand
    std::vector<std::vector<int>> writes; ///< values, by member and result
    /// By member, where it draws random numbers: the key of each round, in their order.
    std::vector<std::vector<std::uint64_t>> keys;
};

} // namespace weft
