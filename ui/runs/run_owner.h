// SPDX-License-Identifier: Apache-2.0
#pragma once
// Decides by their layers whether a run belongs to a design. Pure.

#include <weft/design.h>

namespace weft::ui {

/// True if the layer, with everything inside it, computes the same as when the run began.
[[nodiscard]] bool isUnchangedSinceRun(const Layer& ran, const Layer& shown, const Design& before,
                                       const Design& after);
/// True if most layers of the run still exist with the same network, name, kind and attributes,
/// whatever their assignments.
[[nodiscard]] bool hasMostLayersOfRun(const Design& ran, const Design& shown);

} // namespace weft::ui
