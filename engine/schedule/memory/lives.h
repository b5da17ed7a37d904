// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finds for each block of a program's work arena its lifetime, from the buffers: a life begins with
// the step that writes the block and ends with the last read before something else is written
// there. Lives at the same step (in program order) never overlap in memory.

#include "schedule/program.h"

#include <vector>

namespace weft {

struct BlockLife {
    std::int64_t offset = 0;           ///< bytes in the work arena
    std::int64_t size = 0;             ///< bytes
    std::size_t first = 0;             ///< index of the step that writes it
    std::size_t last = 0;              ///< index of the last step that uses it
    int output = 0;                    ///< index among that step's outputs; -1: its scratch memory
    const ProgramPort* port = nullptr; ///< set for a feed, which is alive during the whole step
};

/// Returns the lives in order of creation. They refer to the program.
[[nodiscard]] std::vector<BlockLife> livesOf(const Program& program);

} // namespace weft
