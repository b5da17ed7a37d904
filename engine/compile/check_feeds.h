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
    /// False if errors exclude layers. Then the check does not match inputs to fields by position,
    /// and does not judge what reads an input.
    bool isWhole = true;
    /// False if settings of the data other than source and feeds are wrong. Then their defaults are
    /// used.
    bool areSettingsRight = true;
    const Registry* registry = nullptr;
    DataFolders folders = {};
};

/// Checks the feeds of a design with a valid source. Missing data is only a warning, since the data
/// may exist where the design runs.
[[nodiscard]] std::vector<Diagnostic> checkFeeds(const FeedCheckRequest& request);

} // namespace weft
