// SPDX-License-Identifier: Apache-2.0
#pragma once
// Along which axes of a mesh the word is `batch`: what is learnt there stays apart on each device
// until it is applied. A layer that follows has the word of what comes in.

#include "graph/graph.h"
#include "place/shardings.h"
#include <weft/assignment.h>

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace weft {

class BatchAxes {
public:
    /// By the words of the input layer whose examples they are.
    void noteFeed(ValueId feed, MeshId mesh, const std::vector<AxisWord>& words);
    /// A node of the forward pass, by the words of its layer.
    void note(const Node& node, MeshId mesh, const std::vector<AxisWord>& words);
    /// Axes of that mesh along which the layer's sums stay apart.
    [[nodiscard]] bool isApart(Origin layer, MeshId mesh, std::size_t axis) const;

private:
    struct Axes {
        MeshId mesh;
        std::uint32_t bits = 0;
        std::uint32_t data = 0; ///< axes whose word is `data`
    };
    /// Axes that have the word; an axis with `follow` has the word of the inputs.
    [[nodiscard]] static std::uint32_t said(const std::vector<AxisWord>& words, AxisWord word,
                                            std::uint32_t followed);

    std::unordered_map<std::uint32_t, Axes> values_; ///< by ValueId, where there are any
    std::map<Origin, Axes> layers_;
};

} // namespace weft
