// SPDX-License-Identifier: Apache-2.0
#pragma once
// The inputs of a design held against the fields of its source: E042 to E045. What is wrong with
// both together would else be said by the first batch.

#include "data/open.h"
#include "graph/graph.h"
#include "run/registry.h"
#include <weft/design.h>
#include <weft/diagnostics.h>

#include <vector>

namespace weft {

/// Of a design whose settings are right. Data that is not there is another's to say.
[[nodiscard]] std::vector<Diagnostic> checkFeeds(const Design& design, const Graph& graph,
                                                 const Registry& registry,
                                                 const DataFolders& folders);

} // namespace weft
