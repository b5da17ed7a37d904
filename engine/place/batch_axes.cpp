// SPDX-License-Identifier: Apache-2.0
#include "place/batch_axes.h"

#include "graph/op.h"

#include <utility>

namespace weft {

namespace {

std::uint32_t bitOf(std::size_t axis) { return std::uint32_t{1} << axis; }

} // namespace

std::uint32_t BatchAxes::axesAssigned(const std::vector<AxisWord>& words, AxisWord word,
                                      std::uint32_t followed) {
    std::uint32_t bits = 0;
    for (std::size_t axis = 0; axis < words.size(); ++axis) {
        bits |= words[axis] == word               ? bitOf(axis)
                : words[axis] == AxisWord::follow ? followed & bitOf(axis)
                                                  : 0;
    }
    return bits;
}

void BatchAxes::addFeed(ValueId feed, MeshId mesh, const std::vector<AxisWord>& words) {
    const LayerAxes axes{mesh, axesAssigned(words, AxisWord::batch, 0),
                         axesAssigned(words, AxisWord::data, 0)};
    if ((axes.batch | axes.data) != 0) {
        values_[feed.value] = axes;
    }
}

void BatchAxes::addNode(const Node& node, MeshId mesh, const std::vector<AxisWord>& words) {
    if (node.pass != Pass::forward && node.pass != Pass::metric) {
        return;
    }
    LayerAxes axes{mesh};
    for (const ValueId input : node.inputs) {
        const auto found = values_.find(input.value);
        if (found != values_.end() && found->second.mesh == mesh) {
            axes.batch |= found->second.batch;
            axes.data |= found->second.data;
        }
    }
    axes.batch = axesAssigned(words, AxisWord::batch, axes.batch);
    axes.data = axesAssigned(words, AxisWord::data, axes.data);
    if (hasNetworkPerElement(node)) { // `data` does not split an op with a state per element
        axes.batch |= std::exchange(axes.data, 0);
    }
    if ((axes.batch | axes.data) == 0) {
        return;
    }
    for (const ValueId output : node.outputs) {
        values_[output.value] = axes;
    }
    if (axes.batch != 0) {
        LayerAxes& layer = layers_[node.origin];
        layer.batch = layer.mesh == mesh ? layer.batch | axes.batch : axes.batch;
        layer.mesh = mesh;
    }
}

bool BatchAxes::keepsSumsApart(Origin layer, MeshId mesh, std::size_t axis) const {
    const auto found = layers_.find(layer);
    return found != layers_.end() && found->second.mesh == mesh &&
           (found->second.batch & bitOf(axis)) != 0;
}

} // namespace weft
