// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sets of operands in a device's memory for timing kernels one after another. Calls cycle through
// the sets, which together exceed any chip's cache, so that each call reads its operands from
// memory, as in a step. Inputs are random numbers that are normal as f32 and as bf16.

#include "device/backend.h"

#include <memory>
#include <span>
#include <vector>

namespace weft {

class TrialSets {
public:
    /// Returns the device memory that the sets for any of these kernels need.
    [[nodiscard]] static Bytes memoryFor(std::span<const KernelAlgorithms* const> all);

    /// Throws Error{memory} if the device has too little memory.
    TrialSets(std::span<const KernelAlgorithms* const> all, Device& device);

    /// The addresses for successive calls of one of these kernels.
    class Calls {
    public:
        [[nodiscard]] std::size_t sets() const { return inputs_.size(); }
        [[nodiscard]] KernelArguments arguments(std::size_t call, Stream& stream) const;

    private:
        friend class TrialSets;
        std::vector<std::vector<const void*>> inputs_; ///< per set
        std::vector<std::vector<void*>> outputs_;
        void* scratch_ = nullptr;
    };
    [[nodiscard]] Calls callsOf(const KernelAlgorithms& ways) const;

private:
    std::unique_ptr<Arena> inputs_;
    std::unique_ptr<Arena> outputs_;
    std::unique_ptr<Arena> scratch_;
};

} // namespace weft
