// SPDX-License-Identifier: Apache-2.0
// Converts a plan's change of placement to a request to a communicator: an all-reduce among devices
// that hold the same part, or transfers of blocks. Blocks are given in elements of the plain
// row-major parts.
#include "schedule/task.h"
#include <weft/error.h>

#include <algorithm>

namespace weft {

namespace {

Piece pieceOf(const Box& holder, const Box& block) {
    const Shape shape = holder.shape();
    Piece piece{.offset = 0, .count = block.shape(), .stride = Shape(shape.size(), 1)};
    std::int64_t step = 1;
    for (std::size_t k = shape.size(); k-- > 0;) {
        piece.stride[k] = step;
        piece.offset += (block.begin[k] - holder.begin[k]) * step;
        step *= shape[k];
    }
    return piece;
}

bool isMax(const Placements& placements) {
    return std::ranges::any_of(
        placements, [](const Placement& p) { return p.kind == Placement::Kind::partialMax; });
}

std::vector<DeviceId> allMembers(const Plan& plan, const PlanNode& node) {
    std::vector<DeviceId> members;
    for (const auto* list : {&node.inputs, &node.outputs}) {
        for (const PlacedId id : *list) {
            const Mesh& mesh = plan.at(plan.at(id).mesh);
            members.insert(members.end(), mesh.devices.begin(), mesh.devices.end());
        }
    }
    std::ranges::sort(members);
    members.erase(std::ranges::unique(members).begin(), members.end());
    return members;
}

std::size_t bytesHeld(const Plan& plan, PlacedId id, DeviceId device) {
    return static_cast<std::size_t>(plan.boxOf(id, device).elements()) *
           byteSize(plan.valueOf(id).dtype);
}

/// Returns the axes along which a sum is completed; along the others the placement stays the same.
std::vector<bool> finishedAxes(const Plan& plan, PlacedId input, PlacedId output) {
    std::vector<bool> finished;
    const Placements& source = plan.at(input).placements;
    const Placements& target = plan.at(output).placements;
    for (std::size_t axis = 0; axis < source.size(); ++axis) {
        finished.push_back(source[axis].isPartial() && target[axis].isReplicated());
    }
    return finished;
}

/// True if all values of the node are summed along the same axes. Then devices that differ only
/// along these axes form an all-reduce group.
bool isAllReduceInGroups(const Plan& plan, const PlanNode& node) {
    if (node.collective != CollectiveKind::allReduce) {
        return false;
    }
    const std::vector<bool> axes = finishedAxes(plan, node.inputs.front(), node.outputs.front());
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
        const Placed& source = plan.at(node.inputs[k]);
        const Placed& target = plan.at(node.outputs[k]);
        if (source.mesh != target.mesh ||
            finishedAxes(plan, node.inputs[k], node.outputs[k]) != axes) {
            return false;
        }
        for (std::size_t axis = 0; axis < axes.size(); ++axis) {
            if (!axes[axis] && source.placements[axis] != target.placements[axis]) {
                return false;
            }
        }
    }
    return true;
}

std::vector<DeviceId> groupOf(const Plan& plan, const PlanNode& node, DeviceId device) {
    const MeshId meshId = plan.at(node.inputs.front()).mesh;
    const int me = plan.memberOf(meshId, device);
    if (me < 0) {
        return {};
    }
    const Mesh& mesh = plan.at(meshId);
    const std::vector<bool> axes = finishedAxes(plan, node.inputs.front(), node.outputs.front());
    std::vector<DeviceId> group;
    for (std::size_t member = 0; member < mesh.devices.size(); ++member) {
        bool isNear = true;
        for (std::size_t axis = 0; axis < axes.size(); ++axis) {
            isNear =
                isNear && (axes[axis] || mesh.coordinate(member, axis) ==
                                             mesh.coordinate(static_cast<std::size_t>(me), axis));
        }
        if (isNear) {
            group.push_back(mesh.devices[member]);
        }
    }
    return group;
}

void addTransfers(const Plan& plan, const PlanNode& node, std::size_t tensor,
                  CollectiveRequest& request) {
    const Placed& source = plan.at(node.inputs[tensor]);
    const Placed& target = plan.at(node.outputs[tensor]);
    const Reduction reduction = isMax(source.placements) ? Reduction::max : Reduction::sum;
    const auto position = [&](DeviceId device) {
        return static_cast<int>(std::ranges::find(request.members, device) -
                                request.members.begin());
    };
    std::vector<std::pair<DeviceId, Box>> written;
    for (const BlockTransfer& block :
         blockTransfers(plan.valueOf(node.inputs[tensor]).shape, plan.at(source.mesh),
                        source.placements, plan.at(target.mesh), target.placements)) {
        if (block.box.isEmpty()) {
            continue;
        }
        Transfer transfer{.from = position(block.from),
                          .to = position(block.to),
                          .tensor = tensor,
                          .source = pieceOf(plan.boxOf(node.inputs[tensor], block.from), block.box),
                          .target = pieceOf(plan.boxOf(node.outputs[tensor], block.to), block.box)};
        if (block.reduces) {
            transfer.reduction = reduction;
            const std::pair<DeviceId, Box> key{block.to, block.box};
            transfer.first = std::ranges::find(written, key) == written.end();
            if (transfer.first) {
                written.push_back(key);
            }
        }
        request.transfers.push_back(std::move(transfer));
    }
}

} // namespace

std::vector<std::vector<DeviceId>> collectiveGroupsOf(const Plan& plan, const PlanNode& node) {
    if (!isAllReduceInGroups(plan, node)) {
        return {allMembers(plan, node)};
    }
    std::vector<std::vector<DeviceId>> meetings;
    std::vector<bool> isMet(plan.devices.size(), false);
    for (const DeviceId device : plan.at(plan.at(node.inputs.front()).mesh).devices) {
        if (!isMet[device.value]) {
            for (const DeviceId member : meetings.emplace_back(groupOf(plan, node, device))) {
                isMet[member.value] = true;
            }
        }
    }
    return meetings;
}

CollectiveRequest collectiveOf(const Plan& plan, PlanNodeId id, DeviceId device,
                               bool wantsTransfers) {
    const PlanNode& node = plan.at(id);
    CollectiveRequest request{.name = node.name,
                              .kind = std::string(nameOf(node.collective)),
                              .origin = node.origin,
                              .number = id.value,
                              .members = allMembers(plan, node)};
    request.dtype = plan.valueOf(node.inputs.front()).dtype;
    if (isAllReduceInGroups(plan, node)) {
        request.members = groupOf(plan, node, device);
        if (request.members.empty()) {
            return request;
        }
        request.isAllReduce = true;
        request.reduction =
            isMax(plan.at(node.inputs.front()).placements) ? Reduction::max : Reduction::sum;
        for (const PlacedId input : node.inputs) {
            request.elements.push_back(plan.boxOf(input, device).elements());
        }
    } else if (wantsTransfers) {
        for (std::size_t k = 0; k < node.inputs.size(); ++k) {
            addTransfers(plan, node, k, request);
        }
    }
    for (const DeviceId member : wantsTransfers ? request.members : std::vector<DeviceId>{}) {
        auto& in = request.inputBytes.emplace_back();
        auto& out = request.outputBytes.emplace_back();
        for (std::size_t k = 0; k < node.inputs.size(); ++k) {
            in.push_back(bytesHeld(plan, node.inputs[k], member));
            out.push_back(bytesHeld(plan, node.outputs[k], member));
        }
    }
    return request;
}

} // namespace weft
