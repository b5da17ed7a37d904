// SPDX-License-Identifier: Apache-2.0
#pragma once
// design -> graph: every layer lowered to ops in order, shapes flowing on through broken parts so
// that one error is one message; losses summed; and the members of the family with their backward
// and update ops.

#include "graph/graph.h"
#include "graph/graph_parts.h"
#include "layers/layer.h"
#include "lower/expand.h"
#include <weft/design.h>
#include <weft/diagnostics.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace weft {

struct Lowered {
    Graph graph;
    std::vector<Diagnostic> problems;
    LoweredParts parts = {};
};

/// Of every output port of every layer: {origin, port} -> value; absent where its shape could not
/// be found.
using OutputValues = std::map<std::pair<Origin, std::string>, ValueId>;
[[nodiscard]] OutputValues outputsOf(const Lowered& lowered);

struct LowerRequest {
    std::string name = "train";
    Mode mode = Mode::train;
    std::int64_t batch = 1;
};

/// An earlier lowering by the same request, without problems; what is taken over is moved out.
struct LoweredBefore {
    const ExpandedDesign* design = nullptr;
    LoweredParts parts = {};
    GraphTaking* taking = nullptr;
};

/// Forward only. The sum of the losses is the result of kind `total`.
[[nodiscard]] Lowered lower(const ExpandedDesign& design, const LayerList& layers,
                            const OpList& ops, const LowerRequest& request,
                            const LoweredBefore* before = nullptr);

} // namespace weft
