// SPDX-License-Identifier: Apache-2.0
#pragma once
// The chains that end a product or a convolution: + bias_add, + add, + relu, in that order, each or
// none, taken by its kernel while it writes the result.

#include "device/kernel.h"

#include <functional>
#include <optional>
#include <string>

namespace weft {

/// What follows the first member: which of the operands is the bias, which is added.
struct Epilogue {
    std::optional<std::size_t> bias = {}; ///< a number for each position of one dim of the result
    std::optional<std::size_t> addend = {};
    bool hasRelu = false;
};

/// Which members a chain has behind its first.
struct ChainForm {
    bool hasBias = false;
    bool hasAddend = false;
    bool hasRelu = false;
};

/// Refuses a bias along another dim than `biasDim` (of the result), more than one addend and a
/// chain of which more than the last result is read.
[[nodiscard]] tl::expected<Epilogue, Refusal>
epilogueOf(const KernelRequest& request, const ChainForm& chain, std::size_t biasDim);

/// Told of none, then of each chain that may follow an op: "+bias_add+relu".
void forEachChain(const std::function<void(const std::string& links, const ChainForm&)>& take);

/// Adds a maker for `op` alone and one for each chain that may follow it; see KernelMaker::lacks
/// and takesHalves.
void addWithEpilogues(
    KernelList& list, const std::string& op, const std::string& implementation,
    const std::function<ChoiceOrRefusal(const KernelRequest&, const ChainForm&)>& choose,
    const std::function<std::string()>& lacks = {}, bool takesHalves = false);

} // namespace weft
