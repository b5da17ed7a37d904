// SPDX-License-Identifier: Apache-2.0
#pragma once
// The gradient of a repeat is a repeat the other way round. The forward one collects what each
// round began with; each round of the backward one computes its round again from that and goes
// back through it. Gradients of what is carried go round, those of what is captured are summed,
// those of what is sliced are collected.

#include "graph/builder.h"

#include <utility>
#include <vector>

namespace weft {

/// Appends the backward repeat (and to the forward one what it must collect). `dy` per result, none
/// where no gradient reaches it; the answer per operand, none where none is wanted.
std::vector<ValueId> repeatGradient(Builder& builder, NodeId node, const std::vector<ValueId>& dy,
                                    const std::vector<bool>& wanted);

/// Appends to a body the gradients of `given` from those of values that it makes; none where no
/// gradient reaches one.
std::vector<ValueId> differentiateBody(Graph& body, const OpList& ops,
                                       const std::vector<std::pair<ValueId, ValueId>>& seeds,
                                       std::vector<ValueId> given);

} // namespace weft
