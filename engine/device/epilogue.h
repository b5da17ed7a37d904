// SPDX-License-Identifier: Apache-2.0
#pragma once
// Fusable chains after a product or a convolution: bias_add, add and relu, each optional, in that
// order. The kernel applies them while it writes the result.

#include "device/kernel.h"

#include <functional>
#include <optional>
#include <string>

namespace weft {

/// What follows the first member, with the operand indices of bias and addend.
struct Epilogue {
    std::optional<std::size_t> bias = {};   ///< operand index: one number per channel or feature
    std::optional<std::size_t> addend = {}; ///< operand index: a value of the result's shape
    bool hasRelu = false;
};

/// The members of a chain after its first.
struct ChainForm {
    bool hasBias = false;
    bool hasAddend = false;
    bool hasRelu = false;
};

/// Refuses a bias along another dim than `biasDim` (of the result), more than one addend, and a
/// chain of which more than the last result is read.
[[nodiscard]] tl::expected<Epilogue, Refusal>
epilogueOf(const KernelRequest& request, const ChainForm& chain, std::size_t biasDim);

/// Calls `take` for the empty chain and for each chain that may follow an op: "+bias_add+relu".
void forEachChain(const std::function<void(const std::string& links, const ChainForm&)>& take);

/// Adds a maker for `op` alone and one for each chain that may follow it; see KernelMaker::lacks
/// and takesBf16.
void addWithEpilogues(
    KernelList& list, const std::string& op, const std::string& implementation,
    const std::function<ChoiceOrRefusal(const KernelRequest&, const ChainForm&)>& choose,
    const std::function<std::string()>& lacks = {}, bool takesBf16 = false);

} // namespace weft
