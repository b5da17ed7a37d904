// SPDX-License-Identifier: Apache-2.0
#include "front/price_ops.h"

#include "graph/op.h"
#include "schedule/price.h"

#include <algorithm>

namespace weft {

namespace {

std::int64_t elementsHeld(const Plan& plan, PlacedId id, std::size_t member) {
    const Placed& placed = plan.at(id);
    const Shape& shape = plan.graph->at(placed.value).shape;
    return std::ranges::any_of(placed.placements, &Placement::isSplit)
               ? boxOf(shape, plan.at(placed.mesh), placed.placements, member).elements()
               : elementsOf(shape);
}

/// An operand may lie on another mesh than the node's: then the node's member is looked up.
std::int64_t elementsOn(const Plan& plan, PlacedId id, MeshId mesh, std::size_t member) {
    if (plan.at(id).mesh == mesh) {
        return elementsHeld(plan, id, member);
    }
    const int at = plan.memberOf(plan.at(id).mesh, plan.at(mesh).devices[member]);
    return at < 0 ? 0 : elementsHeld(plan, id, static_cast<std::size_t>(at));
}

std::int64_t elementBytes(const Plan& plan, PlacedId id) {
    return static_cast<std::int64_t>(byteSize(plan.valueOf(id).dtype));
}

Flops flopsOf(const Graph& graph, const Node& node) {
    if (!node.op->cost) {
        return {};
    }
    Signature signature{.attributes = node.attributes, .inputs = {}, .outputs = {}};
    for (const ValueId id : node.inputs) {
        signature.inputs.push_back({graph.at(id).dtype, graph.at(id).shape});
    }
    for (const ValueId id : node.outputs) {
        signature.outputs.push_back({graph.at(id).dtype, graph.at(id).shape});
    }
    return node.op->cost(signature);
}

Price priceOn(const Plan& plan, const PlanNode& planned, std::size_t member, Flops flops,
              const DeviceSheet& sheet) {
    double share = 1;
    std::int64_t traffic = 0;
    for (const auto* list : {&planned.inputs, &planned.outputs}) {
        for (const PlacedId id : *list) {
            const std::int64_t held = elementsOn(plan, id, planned.mesh, member);
            const auto whole =
                static_cast<double>(std::max<std::int64_t>(1, elementsOf(plan.valueOf(id).shape)));
            share = std::min(share, static_cast<double>(held) / whole);
            traffic += held * elementBytes(plan, id);
        }
    }
    return computePrice(sheet, plan.graph->at(planned.node).op->name,
                        {static_cast<std::int64_t>(static_cast<double>(flops.count) * share)},
                        {traffic});
}

} // namespace

Bytes bytesHeld(const Plan& plan, PlacedId id, std::size_t member) {
    return {elementsHeld(plan, id, member) * elementBytes(plan, id)};
}

OpPrice priceOf(const Plan& plan, const PlanNode& planned, const std::vector<DeviceSheet>& sheets) {
    OpPrice price{.flops = flopsOf(*plan.graph, plan.graph->at(planned.node))};
    const Mesh& mesh = plan.at(planned.mesh);
    for (std::size_t member = 0; member < mesh.devices.size(); ++member) {
        OpPrice::Member& of = price.members.emplace_back();
        of.price = priceOn(plan, planned, member, price.flops, sheets[mesh.devices[member].value]);
        for (const PlacedId output : planned.outputs) {
            of.made.count +=
                elementsOn(plan, output, planned.mesh, member) * elementBytes(plan, output);
        }
    }
    return price;
}

} // namespace weft
