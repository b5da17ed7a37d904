// SPDX-License-Identifier: Apache-2.0
#pragma once
// Initial contents of a slot. They are drawn by counter from the run's seed, the slot's name and
// the logical element, so that every device can draw any part.

#include "graph/graph.h"
#include "place/placement.h"

#include <cstddef>
#include <span>

namespace weft {

/// Fills this box of the slot, row-major. `out` has exactly the size of the box.
void drawInitialContents(const Slot& slot, std::uint64_t seed, const Box& box,
                         std::span<std::byte> out);

} // namespace weft
