// SPDX-License-Identifier: Apache-2.0
// Places sums of values on several meshes: gradients of a value that goes to layers on other
// devices, the norm of all gradients. Terms on the same mesh are added there, so that one value
// leaves that mesh.
#include "place/placer.h"

#include <algorithm>

namespace weft {

namespace {

/// Terms of a sum that lie on one mesh.
struct TermsOnMesh {
    MeshId mesh;
    std::vector<ValueId> values;

    [[nodiscard]] bool hasSeveralSets() const {
        return std::ranges::any_of(values, [&](ValueId value) { return value != values.front(); });
    }
};

} // namespace

/// True for sums that are not layers of the design, so that no assignment says where they are
/// computed. (Parts of a parameter's sum over a period are placed like that sum.)
bool Placer::isUnassignedSum(const Node& node) const {
    return (node.pass == Pass::backward ||
            (node.pass == Pass::update && node.origin.layer.isNone())) &&
           node.op == ops_.find("add") && std::ranges::none_of(node.inputs, [&](ValueId term) {
               return writer_.placementsOf(term).empty();
           });
}

void Placer::placeSum(const Node& node, const LayerAssignments::Layer& layer) {
    const auto meshOf = [&](ValueId term) {
        return shardings_.at(writer_.placementsOf(term).front().sharding).mesh;
    };
    std::vector<TermsOnMesh> parts;
    for (const ValueId term : node.inputs) {
        auto part = std::ranges::find(parts, meshOf(term), &TermsOnMesh::mesh);
        part = part == parts.end() ? parts.insert(part, {meshOf(term), {}}) : part;
        part->values.push_back(term);
    }
    const MeshId mesh = layer.mesh;
    if (parts.size() == 1) {
        placeOn(node, layer, parts.front().mesh);
        return;
    }
    Node sum = node;
    std::vector<ValueId> arriving;
    for (TermsOnMesh& part : parts) {
        if (part.mesh == mesh) {
            continue;
        }
        if (part.hasSeveralSets()) {
            const ValueId made = addOnMesh(node, layer, part.mesh, part.values);
            *std::ranges::find(sum.inputs, part.values.front()) = made;
            std::erase_if(sum.inputs,
                          [&](ValueId term) { return term != made && meshOf(term) == part.mesh; });
            part.values = {made};
        }
        arriving.push_back(part.values.front());
    }
    if (node.pass == Pass::update) {
        // Scalars: the cost is the number of messages.
        const std::string name = graph_.get().at(node.outputs.front()).name;
        writer_.bringTogether(graph_.get(), arriving, shardings_.replicated(mesh), name);
    }
    placeOn(sum, layer, mesh);
}

ValueId Placer::addOnMesh(const Node& sum, const LayerAssignments::Layer& layer, MeshId mesh,
                          std::vector<ValueId> terms) {
    Node part = sum;
    part.origin = sum.origin.layer.isNone() ? sum.origin : originOf(terms.front());
    part.inputs = std::move(terms);
    Graph& graph = graph_.editableCopy();
    const ValueId made{static_cast<std::uint32_t>(graph.values.size())};
    const Value& whole = graph.at(sum.outputs.front());
    graph.values.push_back({.dtype = whole.dtype, .shape = whole.shape});
    part.outputs = {made};
    writer_.grow(graph);
    placeOn(part, layer, mesh);
    return made;
}

} // namespace weft
