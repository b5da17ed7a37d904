// SPDX-License-Identifier: Apache-2.0
#pragma once
// graph -> graph: removes nodes whose results nothing needs any more.

#include "graph/graph.h"

#include <vector>

namespace weft {

/// Drops everything that leads to `unwanted` and that nothing else reads. `wanted` are read from
/// outside the graph. Values keep their ids.
void dropUnread(Graph& graph, const std::vector<ValueId>& unwanted,
                const std::vector<ValueId>& wanted);

} // namespace weft
