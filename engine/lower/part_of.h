// SPDX-License-Identifier: Apache-2.0
#pragma once
// Some layers of an expanded design, with all that they need: a design of its own, in which every
// input still finds its source.

#include "lower/lower.h"

#include <vector>

namespace weft {

/// `keeps`: by layer. Who keeps a layer keeps what feeds it.
[[nodiscard]] ExpandedDesign partOf(const ExpandedDesign& design, const std::vector<bool>& keeps);

/// By layer of a design that has errors: those that none reaches. They were lowered whole, no
/// problem is theirs, and none is what feeds them.
[[nodiscard]] std::vector<bool> soundLayers(const ExpandedDesign& design, const LayerList& layers,
                                            const Lowered& lowered,
                                            const std::vector<Diagnostic>& problems);

} // namespace weft
