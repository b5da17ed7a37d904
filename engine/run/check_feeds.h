// SPDX-License-Identifier: Apache-2.0
#pragma once
// The source of a design asked what it holds, and its inputs held against the fields of it: E042 to
// E045 and W045. What is wrong with both together would else be said by the first batch.

#include "data/open.h"
#include "graph/graph.h"
#include "run/registry.h"
#include <weft/design.h>
#include <weft/diagnostics.h>

#include <vector>

namespace weft {

/// Of a design whose data settings are right. `graph`: nullptr where errors keep it from being
/// made. Data that cannot be had is a warning: it may lie elsewhere where the design is run.
[[nodiscard]] std::vector<Diagnostic> checkFeeds(const Design& design, const Graph* graph,
                                                 const Registry& registry,
                                                 const DataFolders& folders);

} // namespace weft
