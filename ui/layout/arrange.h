// SPDX-License-Identifier: Apache-2.0
#pragma once
// Places given to the layers of a design: to those that have none, or to all anew. Its top level
// and the inside of its groups, with frames drawn around what they hold. Pure; any thread.

#include <weft/catalogue.h>
#include <weft/design.h>

namespace weft::ui {

/// `aspect`: of the window it should fit. `besides`: between neighbours and columns.
[[nodiscard]] Design arranged(Design design, const std::vector<LayerKindInfo>& kinds, double aspect,
                              double besides = 48);
/// What has a place keeps it.
[[nodiscard]] Design placed(Design design, const std::vector<LayerKindInfo>& kinds, double aspect);
/// Those of one network that have none, below those that have.
void placeUnplaced(Network& network, const std::vector<LayerKindInfo>& kinds, double aspect,
                   double besides = 48);

} // namespace weft::ui
