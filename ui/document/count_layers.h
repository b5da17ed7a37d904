// SPDX-License-Identifier: Apache-2.0
#pragma once
// Counts the layers of a network including those inside its groups, times their repeats, so that
// grouping layers keeps the count. Pure.

#include <weft/design.h>

namespace weft::ui {

/// A missing or recursive group counts as one layer.
[[nodiscard]] double countLayers(const Design& design, const Network& network);

} // namespace weft::ui
