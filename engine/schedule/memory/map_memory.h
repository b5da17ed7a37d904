// SPDX-License-Identifier: Apache-2.0
#pragma once
// Describes a program's memory as one map: slots first, then the work arena, each block with its
// purpose.

#include "schedule/program.h"
#include <weft/memory_map.h>

namespace weft {

/// The map lacks step times and the device's memory size, which the program does not know.
[[nodiscard]] MemoryMap mapMemory(const Program& program);

} // namespace weft
