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
        // Of a scalar no box is empty: whoever asks has asked memberOf first.
        return {Shape(shape.size(), 0), Shape(shape.size(), 0)};
    }
    return weft::boxOf(shape, at(placed.mesh), placed.placements, static_cast<std::size_t>(member));
}

namespace {

/// What an all-reduce sends of several values: of a bucket's many, most are alike.
class AllReduced {
public:
    explicit AllReduced(const Plan& plan) : plan_(plan) {}

    const std::vector<std::int64_t>& of(PlacedId input, PlacedId output) {
        const Shape& shape = plan_.valueOf(input).shape;
        const Placed& source = plan_.at(input);
        const Placed& target = plan_.at(output);
        for (const Known& known : known_) {
            if (*known.shape == shape && known.source->mesh == source.mesh &&
                known.source->placements == source.placements &&
                known.target->placements == target.placements) {
                return known.sent;
            }
        }
        return known_
            .emplace_back(Known{&shape, &source, &target,
                                sentByAllReduce(shape, plan_.at(source.mesh), source.placements,
                                                target.placements)})
            .sent;
    }

private:
    struct Known {
        const Shape* shape;
        const Placed* source;
        const Placed* target;
        std::vector<std::int64_t> sent; ///< by member
    };
    const Plan& plan_;
    std::vector<Known> known_;
};

} // namespace

std::vector<std::int64_t> elementsSent(const Plan& plan, const PlanNode& node) {
    std::vector<std::int64_t> sent(plan.devices.size(), 0);
    if (!node.node.isNone() || isLocal(node.collective)) {
        return sent;
    }
    AllReduced allReduced(plan);
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
        const Placed& source = plan.at(node.inputs[k]);
        const Placed& target = plan.at(node.outputs[k]);
        const Shape& shape = plan.valueOf(node.inputs[k]).shape;
        const Mesh& mesh = plan.at(source.mesh);
        if (node.collective == CollectiveKind::allReduce) {
            const auto& each = allReduced.of(node.inputs[k], node.outputs[k]);
            for (std::size_t member = 0; member < each.size(); ++member) {
                sent[mesh.devices[member].value] += each[member];
            }
            continue;
        }
        for (const Block& block :
             blocksOf(shape, mesh, source.placements, plan.at(target.mesh), target.placements)) {
            if (block.from != block.to) {
                sent[block.from.value] += block.box.elements();
            }
        }
    }
    return sent;
}

} // namespace weft
