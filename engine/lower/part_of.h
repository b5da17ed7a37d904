// SPDX-License-Identifier: Apache-2.0
#pragma once
// Extracts some layers of an expanded design with everything that they need, as a design in which
// every input still has its source.

#include "lower/lower.h"

#include <vector>

namespace weft {

/// `keeps` has a flag per layer. The sources of a kept layer must be kept, too.
[[nodiscard]] ExpandedDesign partOf(const ExpandedDesign& design, const std::vector<bool>& keeps);

/// Returns by layer of a design with errors which layers are free of errors: they were lowered
/// completely, have no error, and neither do their sources.
[[nodiscard]] std::vector<bool> layersWithoutErrors(const ExpandedDesign& design,
                                                    const LayerList& layers, const Lowered& lowered,
                                                    const std::vector<Diagnostic>& problems);

} // namespace weft
