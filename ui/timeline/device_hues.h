// SPDX-License-Identifier: Apache-2.0
#pragma once
// Assigns palette colours to the devices in a run's spans.

#include "runs/span_store.h"
#include <weft/design.h>

#include <vector>

namespace weft::ui {

/// Returns palette indices by device number, as in the design; a device that is missing there has
/// its own number as index.
[[nodiscard]] std::vector<int> paletteIndicesOf(const Design& design, const SpanStore& spans);

} // namespace weft::ui
