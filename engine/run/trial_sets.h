// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sets of operands in a device's memory for kernels that are timed one after another. Calls take
// turns among the sets, which together are larger than any chip's cache, so that each call reads
// its operands from memory, as it does within a step. Inputs hold random numbers that are ordinary
// ones as f32 and as bf16.

#include "device/backend.h"

#include <memory>
#include <span>
#include <vector>

namespace weft {

class TrialSets {
public:
    /// What sets for any of these kernels take of the device's memory together.
    [[nodiscard]] static Bytes memoryFor(std::span<const KernelWays* const> all);

    /// Error{memory} where the device has not enough.
    TrialSets(std::span<const KernelWays* const> all, Device& device);

    /// Addresses for the calls of one of these kernels: the first call takes the first, and so on.
    class Calls {
    public:
        [[nodiscard]] std::size_t sets() const { return inputs_.size(); }
        [[nodiscard]] KernelArguments arguments(std::size_t call, Stream& stream) const;

    private:
        friend class TrialSets;
        std::vector<std::vector<const void*>> inputs_; ///< by set
        std::vector<std::vector<void*>> outputs_;
        void* scratch_ = nullptr;
    };
    [[nodiscard]] Calls callsOf(const KernelWays& ways) const;

private:
    std::unique_ptr<Arena> inputs_;
    std::unique_ptr<Arena> outputs_;
    std::unique_ptr<Arena> scratch_;
};

} // namespace weft
