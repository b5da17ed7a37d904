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

struct FeedCheckRequest {
    const Design* design = nullptr;
    const Graph* graph = nullptr; ///< of all its layers, as far as errors let them
    /// False: errors keep layers out, so that no input is known to be fed by its place, and nothing
    /// can be said of what reads it.
    bool isWhole = true;
    /// False: of the data's settings those beside the source and its feeds are wrong, and the usual
    /// ones stand in for them.
    bool areSettingsRight = true;
    const Registry* registry = nullptr;
    DataFolders folders = {};
};

/// Checks the feeds of a design with a valid source. Missing data is a warning: it may exist where
/// the design is run.
[[nodiscard]] std::vector<Diagnostic> checkFeeds(const FeedCheckRequest& request);

} // namespace weft
