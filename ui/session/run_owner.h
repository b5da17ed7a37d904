// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether a run is one of a design: told by what its layers are. Pure.

#include <weft/design.h>

namespace weft::ui {

/// Whether a layer computes what it did when the run began, and all that is inside it.
[[nodiscard]] bool isAsItRan(const Layer& ran, const Layer& shown, const Design& before,
                             const Design& after);
/// Whether most layers that ran are there still: of the same place, name, kind and attributes,
/// however they are spread by now.
[[nodiscard]] bool isMostlyWhatRan(const Design& ran, const Design& shown);

} // namespace weft::ui
