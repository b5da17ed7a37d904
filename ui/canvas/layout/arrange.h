// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A whole design laid out anew: its top level and the inside of its groups, frames drawn around
// what they hold. Pure; any thread.

#include <weft/catalogue.h>
#include <weft/design.h>

namespace weft::ui {

/// `aspect`: of the window it should fit. `besides`: between neighbours and columns.
[[nodiscard]] Design arranged(Design design, const std::vector<LayerKindInfo>& kinds, double aspect,
                              double besides = 48);

} // namespace weft::ui
