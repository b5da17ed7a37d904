// SPDX-License-Identifier: Apache-2.0
#pragma once
// A repeat as one kernel made of those of its body: they run in their order, round after round.
// What a round makes for itself lies in the scratch of the whole; operands are read and results
// written where they lie. Of what is carried each round reads what the one before wrote: two places
// in turn, the last of them the result's.

#include "device/kernel.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace weft {

/// Where a kernel of the body finds an operand or puts a result.
struct RoundPlace {
    enum class In : std::uint8_t {
        nowhere,
        scratch,
        operand,
        result,
        begun, ///< what is carried, as the round began with it
        ended  ///< and as the round makes it
    };
    In in = In::nowhere;
    std::size_t index = 0;   ///< of the operand, the result or what is carried
    std::int64_t offset = 0; ///< in bytes
    std::int64_t stride = 0; ///< in bytes, per position of the round
    bool operator==(const RoundPlace&) const = default;
};

struct RoundKernel {
    /// One for all rounds, or one per round in which it runs.
    std::vector<std::shared_ptr<const KernelChoice>> choices;
    std::vector<RoundPlace> inputs;
    std::vector<RoundPlace> outputs;
    std::int64_t scratch = 0; ///< where its own begins in that of the whole
    std::int64_t from = 0;    ///< it runs in the rounds [from, to)
    std::int64_t to = 1;
    Nanoseconds predicted = {}; ///< of one run

    [[nodiscard]] std::int64_t runs() const { return to - from; }
};

struct RoundKernels {
    std::int64_t count = 1;
    bool isReversed = false; ///< as in RepeatForm
    /// By what is carried: the place in the scratch that takes turns with the result.
    std::vector<std::int64_t> spare;
    std::vector<RoundKernel> kernels; ///< in their order within a round
};

/// Makes the kernels, once; running allocates nothing.
[[nodiscard]] std::unique_ptr<Kernel> makeRounds(std::shared_ptr<const RoundKernels> rounds);

} // namespace weft
