// SPDX-License-Identifier: Apache-2.0
#pragma once
// First contents of a slot: drawn by counter from the run's seed, the slot's name and the logical
// element, so that any part can be drawn by whoever holds it.

#include "graph/graph.h"
#include "place/placement.h"

#include <cstddef>
#include <span>

namespace weft {

/// Fills the box of the slot, plain row-major; `out` has exactly its size.
void drawSlot(const Slot& slot, std::uint64_t seed, const Box& box, std::span<std::byte> out);

} // namespace weft
