// SPDX-License-Identifier: Apache-2.0
#include "place/plan.h"

#include "place/reshard.h"
#include <weft/error.h>

#include <algorithm>

namespace weft {

std::string_view nameOf(CollectiveKind kind) {
    switch (kind) {
    case CollectiveKind::slice: return "slice";
    case CollectiveKind::keepFirst: return "keep-first";
    case CollectiveKind::padZero: return "pad-zero";
    case CollectiveKind::alias: return "alias";
    case CollectiveKind::allReduce: return "all-reduce";
    case CollectiveKind::allGather: return "all-gather";
    case CollectiveKind::reduceScatter: return "reduce-scatter";
    case CollectiveKind::allToAll: return "all-to-all";
    case CollectiveKind::exchange: return "exchange";
    }
    return "";
}

bool isLocal(CollectiveKind kind) { return kind <= CollectiveKind::alias; }

int Plan::memberOf(MeshId mesh, DeviceId device) const {
    const auto& members = at(mesh).devices;
    const auto found = std::ranges::find(members, device);
    return found == members.end() ? -1 : static_cast<int>(found - members.begin());
}

Box Plan::boxOf(PlacedId id, DeviceId device) const {
    const Placed& placed = at(id);
    const Shape& shape = graph->at(placed.value).shape;
    const int member = memberOf(placed.mesh, device);
    if (member < 0) {
        // A scalar has no empty box: callers must check memberOf first.
        return {Shape(shape.size(), 0), Shape(shape.size(), 0)};
    }
    return weft::boxOf(shape, at(placed.mesh), placed.placements, static_cast<std::size_t>(member));
}

std::vector<std::int64_t> elementsSent(const Plan& plan, const PlanNode& node, std::size_t k) {
    std::vector<std::int64_t> sent(plan.devices.size(), 0);
    const Placed& source = plan.at(node.inputs[k]);
    const Placed& target = plan.at(node.outputs[k]);
    const Shape& shape = plan.valueOf(node.inputs[k]).shape;
    const Mesh& mesh = plan.at(source.mesh);
    if (node.collective == CollectiveKind::allReduce) {
        const auto each = sentByAllReduce(shape, mesh, source.placements, target.placements);
        for (std::size_t member = 0; member < each.size(); ++member) {
            sent[mesh.devices[member].value] += each[member];
        }
        return sent;
    }
    for (const BlockTransfer& block :
         blockTransfers(shape, mesh, source.placements, plan.at(target.mesh), target.placements)) {
        if (block.from != block.to) {
            sent[block.from.value] += block.box.elements();
        }
    }
    return sent;
}

std::vector<std::int64_t> elementsSent(const Plan& plan, const PlanNode& node) {
    std::vector<std::int64_t> sent(plan.devices.size(), 0);
    if (!node.node.isNone() || isLocal(node.collective)) {
        return sent;
    }
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
        std::ranges::transform(sent, elementsSent(plan, node, k), sent.begin(), std::plus{});
    }
    return sent;
}

} // namespace weft
