// SPDX-License-Identifier: Apache-2.0
#pragma once
// Assigns positions to the layers of a design: to layers without one, or to all of them. Covers the
// top level and the insides of groups, and fits frames around their content. Pure; callable from
// any thread.

#include <weft/catalogue.h>
#include <weft/design.h>

namespace weft::ui {

/// Returns the design with all layers laid out anew. `aspect`: width / height of the target window.
/// `besides`: distance between neighbours and between columns.
[[nodiscard]] Design arranged(Design design, const std::vector<LayerKindInfo>& kinds, double aspect,
                              double besides = 48);
/// Keeps existing positions.
[[nodiscard]] Design placed(Design design, const std::vector<LayerKindInfo>& kinds, double aspect);
/// Places the layers of one network that have no position below those that have one.
void placeUnplaced(Network& network, const std::vector<LayerKindInfo>& kinds, double aspect,
                   double besides = 48);

} // namespace weft::ui
