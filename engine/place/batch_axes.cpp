// SPDX-License-Identifier: Apache-2.0
#include "place/batch_axes.h"

#include <algorithm>

namespace weft {

namespace {

std::uint32_t bitOf(std::size_t axis) { return std::uint32_t{1} << axis; }

} // namespace

void BatchAxes::noteFeed(ValueId feed, MeshId mesh, const std::vector<AxisWord>& words) {
    std::uint32_t bits = 0;
    for (std::size_t axis = 0; axis < words.size(); ++axis) {
        bits |= words[axis] == AxisWord::batch ? bitOf(axis) : 0;
    }
    if (bits != 0) {
        values_[feed.value] = {mesh, bits};
    }
}

void BatchAxes::note(const Node& node, MeshId mesh, const std::vector<AxisWord>& words) {
    if (node.pass != Pass::forward && node.pass != Pass::metric) {
        return;
    }
    std::uint32_t bits = 0;
    for (std::size_t axis = 0; axis < words.size(); ++axis) {
        const bool follows =
            words[axis] == AxisWord::follow && std::ranges::any_of(node.inputs, [&](ValueId input) {
                return (bitsOf(input, mesh) & bitOf(axis)) != 0;
            });
        bits |= words[axis] == AxisWord::batch || follows ? bitOf(axis) : 0;
    }
    if (bits == 0) {
        return;
    }
    for (const ValueId output : node.outputs) {
        values_[output.value] = {mesh, bits};
    }
    Axes& layer = layers_[node.origin];
    layer.bits = layer.mesh == mesh ? layer.bits | bits : bits;
    layer.mesh = mesh;
}

bool BatchAxes::isApart(Origin layer, MeshId mesh, std::size_t axis) const {
    const auto found = layers_.find(layer);
    return found != layers_.end() && found->second.mesh == mesh &&
           (found->second.bits & bitOf(axis)) != 0;
}

std::uint32_t BatchAxes::bitsOf(ValueId value, MeshId mesh) const {
    const auto found = values_.find(value.value);
    return found != values_.end() && found->second.mesh == mesh ? found->second.bits : 0;
}

} // namespace weft
