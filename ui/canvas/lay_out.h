// SPDX-License-Identifier: Apache-2.0
#pragma once
// Lays a network out on a thread of its own and places its layers as one step of the history,
// unless the design has changed meanwhile or Escape was pressed. A macro has it done at once.

#include <weft/types.h>

#include <vector>

namespace weft::ui {

class CanvasPage;

/// No layers: all of the network that is looked at.
void layOutNetwork(CanvasPage& page, const std::vector<LayerId>& layers, bool isAtOnce = false);

} // namespace weft::ui
