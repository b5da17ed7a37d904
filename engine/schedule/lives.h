// SPDX-License-Identifier: Apache-2.0
#pragma once
// Who holds which stretch of a program's work arena and for how long, read off the buffers: a life
// begins where a step writes it and ends with the last read before something else is written there.
// Lives of one moment share no byte, moments being steps in the program's order.

#include "schedule/program.h"

#include <vector>

namespace weft {

struct BlockLife {
    std::int64_t offset = 0;
    std::int64_t size = 0;
    std::size_t first = 0; ///< index of the step that makes it
    std::size_t last = 0;
    /// Which of the step's results it is; -1: its scratch.
    int output = 0;
    const Port* port = nullptr; ///< fed, and so held for the whole step
};

/// In the order in which they are made. Refer to the program.
[[nodiscard]] std::vector<BlockLife> livesOf(const Program& program);

} // namespace weft
