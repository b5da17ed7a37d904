// SPDX-License-Identifier: Apache-2.0
// Places a repeat by placing one iteration. Carried values must end an iteration as they began it:
// the iteration is placed with the operands' placements, and again with the placements that its own
// results have. The cheaper one is taken, and remaining differences are changed at the end of each
// iteration.
#include "graph/repeat.h"
#include "place/placer.h"
#include "place/unroll.h"
#include <weft/error.h>

#include <algorithm>

namespace weft {

namespace {

/// Returns the time of the slowest device, with changes of placement one after another.
double timeOf(const Plan& plan, const LinkSheet& link) {
    double time = 0;
    for (const PlanNode& node : plan.nodes) {
        if (!node.node.isNone() || isLocal(node.collective)) {
            continue;
        }
        const auto size = static_cast<double>(byteSize(plan.valueOf(node.inputs.front()).dtype));
        const auto most = static_cast<double>(std::ranges::max(elementsSent(plan, node)));
        time += static_cast<double>(link.latency.count) + most * size / link.bytesPerSecond * 1e9;
    }
    return time;
}

} // namespace

Placer::Round Placer::runBody(const Mesh& mesh, const std::vector<BodyInput>& inputs,
                              std::size_t carried, std::size_t summed) {
    prepare();
    const MeshId on = shardings_.mesh(mesh);
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        const ValueId value = given_->bodyInputs[k];
        roles_.setData(value, inputs[k].isData);
        if (inputs[k].placements) {
            writer_.addPlaced(value, shardings_.sharding(on, *inputs[k].placements), {});
        } else {
            free_[value] = inputs[k].freedom;
        }
    }
    for (const Node& node : given_->nodes) {
        place(node);
    }
    writer_.flush();
    Round round;
    for (const ValueId value : given_->bodyInputs) {
        if (writer_.placementsOf(value).empty()) {
            writer_.addPlaced(value, shardings_.replicated(on), {});
        }
        writer_.plan().feeds.push_back(writer_.placementsOf(value).front().placed);
    }
    for (std::size_t k = 0; k < given_->bodyOutputs.size(); ++k) {
        const ValueId value = remap(given_->bodyOutputs[k]);
        const ShardingId made = writer_.placementsOf(value).front().sharding;
        const bool isHere = shardings_.at(made).mesh == on;
        ShardingId target = isHere ? shardings_.withoutPartial(made) : shardings_.replicated(on);
        if (k < carried) {
            round.endPlacements.push_back(shardings_.at(target).placements);
            target = writer_.placementsOf(given_->bodyInputs[k]).front().sharding;
        } else if (k < carried + summed && isHere) {
            target = made; // a sum over the iterations may stay Partial
        }
        const ChangeReason reason{
            .from = originOf(value), .to = originOf(value), .value = given_->bodyOutputs[k]};
        writer_.plan().results.push_back(writer_.bring(graph_.get(), value, made, target, reason));
    }
    finishRemapped();
    round.plan = takePlan();
    round.nanoseconds = timeOf(round.plan, request_.machine.withinProcess);
    return round;
}

Placer::BodyInput Placer::bodyInputFor(const Node& node, std::size_t k, const Mesh& mesh) {
    const RepeatForm form = repeatForm(node);
    OperandState state;
    findOperandState(node.inputs[k], state);
    BodyInput input{.freedom = state.freedom, .isData = roles_.isData(node.inputs[k])};
    if (!state.held.empty()) {
        const Sharding& own = shardings_.at(shardings_.withoutPartial(state.held.front()));
        const bool isHere = shardings_.at(own.mesh) == mesh;
        const bool isSliced = k >= form.carried && k < form.carried + form.sliced;
        input.placements = !isHere    ? Placements(mesh.axes())
                           : isSliced ? withoutRounds(own.placements)
                                      : own.placements;
    }
    return input;
}

Placer::Round Placer::placeRound(const Node& node, const Mesh& mesh,
                                 const std::vector<BodyInput>& inputs) {
    // The layer's assignment applies to the ops of the body; what none of them supports is reported
    // outside.
    PlacementRequest request{.devices = request_.devices,
                             .layers = {},
                             .fallback = {.devices = {},
                                          .mesh = mesh.shape,
                                          .words = layers_.assignmentOf(node.origin).words}};
    for (const DeviceId device : mesh.devices) {
        request.fallback.devices.push_back(request_.devices[device.value]);
    }
    request.schemes = request_.schemes;
    request.machine = request_.machine;
    const RepeatForm form = repeatForm(node);
    PlaceTables tables(request.machine.withinProcess);
    return Placer(node.body, ops_, request, tables)
        .runBody(mesh, inputs, form.carried, form.summed);
}

void Placer::placeRepeat(const Node& node) {
    const auto& layer =
        layers_.settledLayer(layers_.indexOf(node.origin), meshOfOperands(node.inputs));
    const Mesh mesh = shardings_.at(layer.mesh);
    const MeshId on = layer.mesh;
    markData(node);
    const RepeatForm form = repeatForm(node);
    std::vector<BodyInput> inputs;
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
        inputs.push_back(bodyInputFor(node, k, mesh));
    }
    batch_.addNode(node, on, layer.words);
    Round round = placeRound(node, mesh, inputs);
    bool isSettled = true;
    for (std::size_t k = 0; k < form.carried; ++k) {
        isSettled =
            isSettled && round.plan.at(round.plan.feeds[k]).placements == round.endPlacements[k];
        inputs[k].placements = round.endPlacements[k];
    }
    if (!isSettled) {
        Round other = placeRound(node, mesh, inputs);
        const auto rounds = static_cast<double>(form.count);
        const double now = entryChangeCost(node, round) + rounds * round.nanoseconds;
        const double then = entryChangeCost(node, other) + rounds * other.nanoseconds;
        if (then < now) {
            round = std::move(other);
        }
    }
    writeRepeat(node, on, std::move(round));
}

/// Returns the cost of changing the carried operands to the placement of the first iteration.
double Placer::entryChangeCost(const Node& node, const Round& round) {
    double cost = 0;
    for (std::size_t k = 0; k < repeatForm(node).carried; ++k) {
        const auto held = writer_.placementsOf(node.inputs[k]);
        if (!held.empty()) {
            const ShardingId target = bodySharding(round.plan, round.plan.feeds[k], false);
            cost += shardings_.change(writer_.typeOf(node.inputs[k]), held.front().sharding, target)
                        .nanoseconds;
        }
    }
    return cost;
}

ShardingId Placer::bodySharding(const Plan& body, PlacedId id, bool isPerRound) {
    const Placed& placed = body.at(id);
    return shardings_.sharding(shardings_.mesh(body.at(placed.mesh)),
                               isPerRound ? withRounds(placed.placements) : placed.placements);
}

void Placer::writeRepeat(const Node& node, MeshId mesh, Round round) {
    const RepeatForm form = repeatForm(node);
    std::vector<PlacedId> inputs;
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
        const ValueId value = node.inputs[k];
        const bool isSliced = k >= form.carried && k < form.carried + form.sliced;
        const ShardingId target = bodySharding(round.plan, round.plan.feeds[k], isSliced);
        if (writer_.placementsOf(value).empty()) {
            placeForFirstUse(value, target);
        }
        inputs.push_back(writer_.bring(graph_.get(), value, target, changeReasonFor(node, k)));
    }
    writer_.reduceFor(inputs, node.pass == Pass::backward);
    std::vector<ShardingId> results;
    for (std::size_t k = 0; k < node.outputs.size(); ++k) {
        results.push_back(
            bodySharding(round.plan, round.plan.results[k], k >= form.carried + form.summed));
    }
    Node placed = node;
    placed.body = round.plan.graph; // the body's graph after expansions
    if (placed.body != node.body) {
        graph_.editableCopy();
    }
    const NodeId id = graph_.append(placed);
    writer_.addOp(id, mesh, std::move(inputs), node.outputs, results,
                  std::vector<std::string>(shardings_.at(mesh).axes()));
    writer_.plan().nodes.back().body = std::make_shared<const Plan>(std::move(round.plan));
    for (const ValueId output : node.outputs) {
        bringGradientsHome(output);
    }
}

} // namespace weft
