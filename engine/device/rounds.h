// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs a repeat as one kernel that calls the kernels of the body, iteration after iteration.
// Temporaries lie in the scratch of the whole; operands and results are used in place. Loop-carried
// values alternate between two buffers, so that the last iteration writes the result.

#include "device/kernel.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace weft {

/// The location of an operand or result of a body kernel.
struct RoundPlace {
    enum class In : std::uint8_t {
        nowhere, ///< it is absent
        scratch, ///< in the scratch memory
        operand, ///< in an operand of the repeat
        result,  ///< in a result of the repeat
        begun,   ///< loop-carried value at the begin of the iteration
        ended    ///< loop-carried value at its end
    };
    In in = In::nowhere;     ///< which memory it is in
    std::size_t index = 0;   ///< index of the operand, the result or the loop-carried value
    std::int64_t offset = 0; ///< in bytes
    std::int64_t stride = 0; ///< in bytes, per iteration
    bool operator==(const RoundPlace&) const = default;
};

struct RoundKernel {                                          ///< a kernel of the body of a repeat
    std::vector<std::shared_ptr<const KernelChoice>> choices; ///< one, or one per iteration
    std::vector<RoundPlace> inputs;                           ///< where its operands lie
    std::vector<RoundPlace> outputs;                          ///< where its results lie
    std::int64_t scratch = 0;   ///< offset of its scratch in the scratch of the whole
    std::int64_t from = 0;      ///< runs in the iterations [from, to)
    std::int64_t to = 1;        ///< past the last iteration
    Nanoseconds predicted = {}; ///< per run

    [[nodiscard]] std::int64_t runs() const { return to - from; }
};

struct RoundKernels {                 ///< all kernels of the body of a repeat
    std::int64_t count = 1;           ///< number of iterations
    bool isReversed = false;          ///< as in RepeatForm
    std::vector<std::int64_t> spare;  ///< second buffer per carried value: its offset in scratch
    std::vector<RoundKernel> kernels; ///< in execution order within an iteration
};

/// Makes all kernels once; running them allocates nothing.
[[nodiscard]] std::unique_ptr<Kernel> makeRounds(std::shared_ptr<const RoundKernels> rounds);

} // namespace weft
