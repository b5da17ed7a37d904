// SPDX-License-Identifier: Apache-2.0
#pragma once
// Opens the data source of a design and compares its fields with the design's inputs: E042 to E045
// and W045. Without this check the first batch would report such faults.

#include "compile/registry.h"
#include "data/open.h"
#include "graph/graph.h"
#include <weft/design.h>
#include <weft/diagnostics.h>

#include <vector>

namespace weft {

struct FeedCheckRequest {
    const Design* design = nullptr;
    const Graph* graph = nullptr; ///< contains all layers that errors do not exclude
    bool isWhole = true; ///< false: errors exclude layers; then fields are matched only by name
    bool areSettingsRight = true; ///< false: data settings have errors; then defaults are used
    const Registry* registry = nullptr;
    DataFolders folders = {};
};

/// Checks the feeds of a design with a valid source. Missing data is only a warning, since the data
/// may exist where the design runs.
[[nodiscard]] std::vector<Diagnostic> checkFeeds(const FeedCheckRequest& request);

} // namespace weft
