// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which feeds hold ids (rows of a table, classes) and how many there are of them: for the message
// when a number that is none has made everything else not a number.

#include "graph/graph.h"

#include <cstdint>
#include <vector>

namespace weft {

struct IdRange {
    std::size_t feed = 0;     ///< in the graph
    Origin reader;            ///< the layer that reads it
    std::int64_t count = 0;   ///< ids are from 0 to count - 1
    std::int64_t ignored = 0; ///< this one too; 0: no other
};
[[nodiscard]] std::vector<IdRange> idRanges(const Graph& graph);

} // namespace weft
