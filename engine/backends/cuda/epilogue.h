// SPDX-License-Identifier: Apache-2.0
#pragma once
// Makers of products and convolutions, and the chains that may end one: + bias_add, + add, + relu,
// in that order, each or none, taken while the result is written.

#include "backends/cuda/product.h"
#include "backends/cuda/request.h"

#include <optional>

namespace weft::cuda {

/// What follows the first member: which of the operands is the bias, which is added.
struct Epilogue {
    std::optional<std::size_t> bias, addend;
    bool hasRelu = false;

    [[nodiscard]] Ending of(const KernelArguments& at) const;
};

/// Refuses a bias along another dim than `biasDim` (of the result), more than one addend and a
/// chain of which more than the last result is read.
[[nodiscard]] tl::expected<Epilogue, Refusal> epilogueOf(const KernelRequest& request,
                                                         std::size_t biasDim);

/// Adds a maker for `op` alone and one for each chain that may follow it.
void addWithEpilogues(KernelList& list, const std::string& op,
                      const std::function<ChoiceOrRefusal(const KernelRequest&)>& choose);

/// The product of the first two operands, with what follows it; all plain.
[[nodiscard]] ChoiceOrRefusal productOf(const KernelRequest& request, const MatrixProduct& product);

/// run(at, scratch), all plain, with room for so many floats; refuses more than it may have.
[[nodiscard]] ChoiceOrRefusal
withScratch(const KernelRequest& request, std::int64_t floats,
            std::function<void(const KernelArguments&, float* scratch)> run);

} // namespace weft::cuda
