// SPDX-License-Identifier: Apache-2.0
#pragma once
// The colours of the devices that a run's spans name.

#include "session/span_store.h"
#include <weft/design.h>

#include <vector>

namespace weft::ui {

/// Colour slots by device number: those of the design, of a device that it lacks its own number.
[[nodiscard]] std::vector<int> huesOf(const Design& design, const SpanStore& spans);

} // namespace weft::ui
