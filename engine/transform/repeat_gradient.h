// SPDX-License-Identifier: Apache-2.0
#pragma once
// The gradient of a repeat is a repeat in reverse. The forward repeat collects the carried inputs
// of each iteration; each backward iteration recomputes its iteration from these and differentiates
// it. Gradients of carried values are carried, those of captured values are summed, those of sliced
// values are collected.

#include "graph/builder.h"

#include <utility>
#include <vector>

namespace weft {

/// Appends the backward repeat, and adds to the forward repeat the results that it collects. `dy`
/// has a gradient or none per result. Returns a gradient per operand, or none if none is wanted.
std::vector<ValueId> repeatGradient(Builder& builder, NodeId node, const std::vector<ValueId>& dy,
                                    const std::vector<bool>& wanted);

/// Appends the gradients of `given` to a body, from gradients of values that the body computes.
/// None where no gradient arrives.
std::vector<ValueId> differentiateBody(Graph& body, const OpList& ops,
                                       const std::vector<std::pair<ValueId, ValueId>>& seeds,
                                       std::vector<ValueId> given);

} // namespace weft
