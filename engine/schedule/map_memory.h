// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program's memory as one map: slots first, then the work arena, each block by what it is for.

#include "schedule/program.h"
#include <weft/memory_map.h>

namespace weft {

/// When steps run and what memory there is, the program does not know.
[[nodiscard]] MemoryMap mapMemory(const Program& program);

} // namespace weft
