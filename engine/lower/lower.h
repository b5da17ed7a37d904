// SPDX-License-Identifier: Apache-2.0
#pragma once
// design -> graph: lowers every layer to ops in order, and sums the losses. Shapes continue past
// broken parts, so that one error gives one message. Also makes the variants of a set with their
// backward and update ops.

#include "graph/graph.h"
#include "layers/layer.h"
#include "lower/expand.h"
#include <weft/design.h>
#include <weft/diagnostics.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace weft {

/// The values at a layer's output ports. A port without an inferred shape is absent.
struct LayerOutputs {
    Origin origin;
    std::vector<std::pair<std::string, ValueId>> ports; ///< port name, value
};

struct Lowered {
    Graph graph;
    std::vector<Diagnostic> problems;
    std::vector<LayerOutputs> outputs; ///< per expanded layer
};

/// The output values of all layers for lookup: {origin, port} -> value.
using OutputValues = std::map<std::pair<Origin, std::string>, ValueId>;
[[nodiscard]] OutputValues outputsOf(const Lowered& lowered);

struct LowerRequest {
    std::string name = "train"; ///< the graph's name
    Mode mode = Mode::train;
    std::int64_t batch = 1; ///< examples per batch
};

/// Lowers forward only. The sum of the losses is the result of kind `total`.
[[nodiscard]] Lowered lower(const ExpandedDesign& design, const LayerList& layers,
                            const OpList& ops, const LowerRequest& request);

} // namespace weft
