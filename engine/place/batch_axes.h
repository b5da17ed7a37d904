// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finds the mesh axes along which a layer's assignment is `batch`: what is learned there stays
// separate on each device until it is applied. A layer with `follow` takes over the assignment of
// its inputs.

#include "graph/graph.h"
#include "place/shardings.h"
#include <weft/assignment.h>

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace weft {

class BatchAxes { ///< mesh axes along which layers are assigned `batch`
public:
    /// Uses the assignment of the input layer that provides these examples.
    void addFeed(ValueId feed, MeshId mesh, const std::vector<AxisWord>& words);
    /// Adds a node of the forward pass, with the assignment of its layer.
    void addNode(const Node& node, MeshId mesh, const std::vector<AxisWord>& words); ///< if forward
    /// True if the layer's sums stay separate along that axis of the mesh.
    [[nodiscard]] bool keepsSumsApart(Origin layer, MeshId mesh, std::size_t axis) const;

private:
    struct LayerAxes {
        MeshId mesh;
        std::uint32_t batch = 0; ///< bit mask of axes assigned to `batch`
        std::uint32_t data = 0;  ///< bit mask of axes assigned to `data`
    };
    /// Returns the axes with this assignment; an axis with `follow` has the assignment of the
    /// inputs.
    [[nodiscard]] static std::uint32_t axesAssigned(const std::vector<AxisWord>& words,
                                                    AxisWord word, std::uint32_t followed);

    std::unordered_map<std::uint32_t, LayerAxes>
        values_;                         ///< by ValueId, only values with such axes
    std::map<Origin, LayerAxes> layers_; ///< by layer, only layers with `batch`
};

} // namespace weft
