// SPDX-License-Identifier: Apache-2.0
#pragma once
// Lays out a network on a separate thread and moves its layers in one undo step, unless the design
// changes meanwhile or Escape is pressed. Macros lay out synchronously.

#include <weft/types.h>

#include <vector>

namespace weft::ui {

class CanvasPage;

/// An empty list of layers means the whole shown network.
void layOutNetwork(CanvasPage& page, const std::vector<LayerId>& layers, bool isAtOnce = false);

} // namespace weft::ui
