// SPDX-License-Identifier: Apache-2.0
#pragma once
// One layer lowered from its sample, without a design around it. Free of Qt, whose macros take the
// word `slots`.

#include "graph/builder.h"
#include "layers/layer.h"

#include <string>
#include <utility>
#include <vector>

namespace weft::test {

struct Alone {
    Graph graph;
    std::vector<std::pair<std::string, ValueId>> outputs;
    std::vector<std::string> refusals;
    ValueId loss; ///< the sum of all floating outputs; none without one
};

class Lowerings {
public:
    Lowerings();
    [[nodiscard]] const LayerList& layers() const { return layers_; }
    [[nodiscard]] const OpList& ops() const { return ops_; }
    /// The layer is called "it".
    [[nodiscard]] Alone lower(const LayerKind& kind, const LayerSample& sample, Mode mode) const;

private:
    OpList ops_;
    LayerList layers_;
};

[[nodiscard]] const std::vector<Slot>& slotsOf(const Graph& graph);
/// "it.weight[7, 5] it.bias[7]"
[[nodiscard]] std::string slotShapes(const Graph& graph);

} // namespace weft::test
