// SPDX-License-Identifier: Apache-2.0
#include "place/batch_axes.h"

#include "graph/op.h"

#include <utility>

namespace weft {

namespace {

std::uint32_t bitOf(std::size_t axis) { return std::uint32_t{1} << axis; }

} // namespace

std::uint32_t BatchAxes::said(const std::vector<AxisWord>& words, AxisWord word,
                              std::uint32_t followed) {
    std::uint32_t bits = 0;
    for (std::size_t axis = 0; axis < words.size(); ++axis) {
        bits |= words[axis] == word               ? bitOf(axis)
                : words[axis] == AxisWord::follow ? followed & bitOf(axis)
                                                  : 0;
    }
    return bits;
}

void BatchAxes::noteFeed(ValueId feed, MeshId mesh, const std::vector<AxisWord>& words) {
    const Axes axes{mesh, said(words, AxisWord::batch, 0), said(words, AxisWord::data, 0)};
    if ((axes.bits | axes.data) != 0) {
        values_[feed.value] = axes;
    }
}

void BatchAxes::note(const Node& node, MeshId mesh, const std::vector<AxisWord>& words) {
    if (node.pass != Pass::forward && node.pass != Pass::metric) {
        return;
    }
    Axes axes{mesh};
    for (const ValueId input : node.inputs) {
        const auto found = values_.find(input.value);
        if (found != values_.end() && found->second.mesh == mesh) {
            axes.bits |= found->second.bits;
            axes.data |= found->second.data;
        }
    }
    axes.bits = said(words, AxisWord::batch, axes.bits);
    axes.data = said(words, AxisWord::data, axes.data);
    if (hasNetworkPerElement(node)) { // which `data` does not split
        axes.bits |= std::exchange(axes.data, 0);
    }
    if ((axes.bits | axes.data) == 0) {
        return;
    }
    for (const ValueId output : node.outputs) {
        values_[output.value] = axes;
    }
    if (axes.bits != 0) {
        Axes& layer = layers_[node.origin];
        layer.bits = layer.mesh == mesh ? layer.bits | axes.bits : axes.bits;
        layer.mesh = mesh;
    }
}

bool BatchAxes::isApart(Origin layer, MeshId mesh, std::size_t axis) const {
    const auto found = layers_.find(layer);
    return found != layers_.end() && found->second.mesh == mesh &&
           (found->second.bits & bitOf(axis)) != 0;
}

} // namespace weft
