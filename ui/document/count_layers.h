// SPDX-License-Identifier: Apache-2.0
#pragma once
// Counts the layers of a network with those inside its groups, each as often as it is repeated, so
// that grouping leaves the number as it was. Pure.

#include <weft/design.h>

namespace weft::ui {

/// A group that is not there, or contains itself, counts as one layer.
[[nodiscard]] double countLayers(const Design& design, const Network& network);

} // namespace weft::ui
