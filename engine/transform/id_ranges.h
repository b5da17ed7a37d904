// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finds which feeds hold ids (rows of a table, classes) and their ranges, for the message after an
// invalid id has made the results NaN.

#include "graph/graph.h"

#include <cstdint>
#include <vector>

namespace weft {

struct IdRange {
    std::size_t feed = 0;     ///< index in the graph
    Origin reader;            ///< the layer that reads the ids
    std::int64_t count = 0;   ///< valid ids are 0 to count - 1
    std::int64_t ignored = 0; ///< a further valid id; 0: none
};
[[nodiscard]] std::vector<IdRange> idRanges(const Graph& graph);

} // namespace weft
