// SPDX-License-Identifier: Apache-2.0
#include "place/plan_writer.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>

namespace weft {

PlanWriter::PlanWriter(Spreads& spreads, double bucketMegabytes)
    : spreads_(spreads),
      bucketBytes_(static_cast<std::int64_t>(bucketMegabytes * 1e6)),
      steps_(1, Step{.round = round_}) {}

void PlanWriter::grow(const Graph& graph) {
    if (held_.empty()) {
        // What expansions add comes little by little: room for it is made once.
        const std::size_t room = graph.values.size() + graph.values.size() / 2;
        held_.reserve(room);
        types_.reserve(room);
        states_.reserve(room);
        plan_.values.reserve(room);
        plan_.nodes.reserve(room);
    }
    held_.resize(graph.values.size());
    isTouched_.resize(graph.values.size(), true); // what is new is not held as it was
    for (std::size_t k = types_.size(); k < graph.values.size(); ++k) {
        types_.push_back(spreads_.type(graph.values[k].dtype, graph.values[k].shape));
    }
}

PlacedId PlanWriter::find(ValueId value, SpreadId spread) const {
    const auto list = held(value);
    const auto found = std::ranges::find(list, spread, &Held::spread);
    return found == list.end() ? PlacedId{} : found->placed;
}

PlacedId PlanWriter::addPlaced(ValueId value, SpreadId spread, PlanNodeId producer) {
    PlacedId id = reused(value, spread);
    const Spread& at = spreads_.at(spread);
    Placed made{value, at.mesh, at.placements, producer, spread, typeOf(value)};
    if (id.isNone()) {
        id = {static_cast<std::uint32_t>(plan_.values.size())};
        plan_.values.push_back(std::move(made));
        isPending_.push_back(false);
        isHeldBack_.push_back(false);
    } else {
        plan_.values[id.value] = std::move(made);
        isPending_[id.value] = false;
        isHeldBack_[id.value] = false;
    }
    held_[value.value].insert(held(value).size(), {spread, id, step_});
    members_.push_back(id);
    return id;
}

void PlanWriter::addOp(NodeId node, MeshId mesh, std::vector<PlacedId> inputs,
                       const std::vector<ValueId>& results, const std::vector<SpreadId>& spreads,
                       std::vector<std::string> letters) {
    const PlanNodeId id{static_cast<std::uint32_t>(plan_.nodes.size())};
    PlanNode made{.node = node,
                  .inputs = std::move(inputs),
                  .outputs = {},
                  .mesh = mesh,
                  .name = {},
                  .origin = {},
                  .letters = std::move(letters)};
    made.outputs.reserve(results.size());
    for (std::size_t k = 0; k < results.size(); ++k) {
        made.outputs.push_back(addPlaced(results[k], spreads[k], id));
    }
    plan_.nodes.push_back(std::move(made));
    states_.push_back(NodeState::ofStep);
    order_.push_back(id);
}

PlanNodeId PlanWriter::addCollective(CollectiveKind kind, std::vector<PlacedId> inputs,
                                     std::vector<PlacedId> outputs, std::string name,
                                     Origin origin) {
    const PlanNodeId id{static_cast<std::uint32_t>(plan_.nodes.size())};
    const MeshId mesh = plan_.at(outputs.front()).mesh;
    for (const PlacedId output : outputs) {
        plan_.values[output.value].producer = id;
        isPending_[output.value] = false;
    }
    plan_.nodes.push_back({.node = {},
                           .collective = kind,
                           .inputs = std::move(inputs),
                           .outputs = std::move(outputs),
                           .mesh = mesh,
                           .name = std::move(name),
                           .origin = origin});
    states_.push_back(NodeState::ofStep);
    order_.push_back(id);
    return id;
}

namespace {

std::string nameOfValue(const Graph& graph, ValueId id) {
    const Value& value = graph.at(id);
    if (!value.name.empty()) {
        return value.name;
    }
    if (value.producer.isNone()) {
        return fmt::format("value {}", id.value);
    }
    const Node& node = graph.at(value.producer);
    const std::string& layer = graph.layerName(node.origin);
    const std::string& result =
        value.output < node.op->outputs.size() ? node.op->outputs[value.output] : node.op->name;
    return layer.empty() ? fmt::format("{}.{}", node.op->name, result)
                         : fmt::format("{}/{}.{}", layer, node.op->name, result);
}

/// Along which axes shares are added.
std::vector<bool> reducedAxes(const Placements& source, const Placements& target) {
    std::vector<bool> axes;
    for (std::size_t axis = 0; axis < target.size(); ++axis) {
        axes.push_back(source[axis].isPartial() && !target[axis].isPartial());
    }
    return axes;
}

} // namespace

std::string PlanWriter::nameOf(const Graph& graph, const Errand& errand) const {
    if (!errand.name.empty()) {
        return errand.name;
    }
    if (errand.consumer == nullptr) {
        return nameOfValue(graph, errand.value);
    }
    const Node& node = *errand.consumer;
    const std::size_t port = std::min(errand.operand, node.op->inputs.size() - 1);
    const std::string& layer = graph.layerName(node.origin);
    return fmt::format("{} -> {}.{}", nameOfValue(graph, errand.value),
                       layer.empty() ? node.op->name : layer, node.op->inputs[port].name);
}

PlacedId PlanWriter::bring(const Graph& graph, ValueId value, SpreadId target,
                           const Errand& errand) {
    SpreadId best;
    double least = 0;
    for (const Held& known : held(value)) {
        const double cost = spreads_.change(typeOf(value), known.spread, target).nanoseconds;
        if (best.isNone() || cost < least || known.spread == target) {
            best = known.spread;
            least = cost;
        }
    }
    ensure(!best.isNone(), "a value is placed before it is brought elsewhere");
    return bring(graph, value, best, target, errand);
}

PlacedId PlanWriter::bring(const Graph& graph, ValueId value, SpreadId source, SpreadId target,
                           const Errand& errand) {
    PlacedId at = find(value, source);
    if (isHeldBack_[at.value] && source != target) {
        isPlain_ = isPlain_ && !isOfThisStep(at);
        demand({at}, errand.isBackward);
    }
    for (const Spreads::Step& step : spreads_.change(typeOf(value), source, target).steps) {
        if (const PlacedId known = find(value, step.spread); !known.isNone()) {
            at = known;
            continue;
        }
        const PlacedId next = addPlaced(value, step.spread, {});
        std::string name = nameOf(graph, errand);
        const PlanNodeId node = addCollective(
            step.kind, {at}, {next},
            errand.isBackward && errand.name.empty() ? name + ", backward" : name, errand.to);
        if (!isLocal(step.kind)) {
            plan_.traffic.push_back(
                {errand.from, errand.to, std::move(name), node, errand.isBackward});
        }
        at = next;
    }
    return at;
}

void PlanWriter::reduceTogether(const Graph& graph, const std::vector<Order>& orders) {
    struct Group {
        MeshId mesh;
        DType dtype = DType::f32;
        std::vector<bool> axes;
        std::vector<const Order*> orders;
    };
    std::vector<Group> groups;
    for (const Order& order : orders) {
        const auto& steps = spreads_.change(typeOf(order.value), order.source, order.target).steps;
        if (steps.size() != 1 || steps.front().kind != CollectiveKind::allReduce ||
            !find(order.value, order.target).isNone()) {
            continue;
        }
        const Spread& source = spreads_.at(order.source);
        const auto axes = reducedAxes(source.placements, spreads_.at(order.target).placements);
        const DType dtype = graph.at(order.value).dtype;
        auto group = std::ranges::find_if(groups, [&](const Group& known) {
            return known.mesh == source.mesh && known.dtype == dtype && known.axes == axes;
        });
        if (group == groups.end()) {
            group = groups.insert(groups.end(), {source.mesh, dtype, axes, {}});
        }
        const bool isKnown = std::ranges::any_of(
            group->orders, [&](const Order* known) { return known->value == order.value; });
        if (!isKnown) {
            group->orders.push_back(&order);
        }
    }
    for (const Group& group : groups) {
        if (group.orders.size() < 2) {
            continue;
        }
        std::vector<PlacedId> inputs;
        std::vector<PlacedId> outputs;
        for (const Order* order : group.orders) {
            inputs.push_back(find(order->value, order->source));
            outputs.push_back(addPlaced(order->value, order->target, {}));
        }
        const Errand& first = group.orders.front()->errand;
        const PlanNodeId node = addCollective(
            CollectiveKind::allReduce, std::move(inputs), std::move(outputs),
            fmt::format("{} and {} more", nameOf(graph, first), group.orders.size() - 1), first.to);
        for (const Order* order : group.orders) {
            plan_.traffic.push_back({order->errand.from, order->errand.to,
                                     nameOf(graph, order->errand), node, order->errand.isBackward});
        }
    }
}

PlacedId PlanWriter::bringGradient(const Graph& graph, ValueId gradient, SpreadId target,
                                   const Errand& errand) {
    const Held from = held(gradient).back();
    const auto& steps = spreads_.change(typeOf(gradient), from.spread, target).steps;
    const bool waits = steps.size() == 1 && steps.front().kind == CollectiveKind::allReduce &&
                       find(gradient, target).isNone();
    if (!waits) {
        return bring(graph, gradient, target, errand);
    }
    return hold(from.placed, gradient, target, nameOf(graph, errand), errand.to);
}

PlacedId PlanWriter::hold(PlacedId input, ValueId gradient, SpreadId target, std::string name,
                          Origin origin) {
    const PlacedId output = addPlaced(gradient, target, {});
    isHeldBack_[output.value] = true;
    waits_.push_back({input, output, std::move(name), origin,
                      kindOf(plan_.at(input), plan_.at(output)),
                      spreads_.at(plan_.at(output).type).bytes().count});
    fill(waits_.size() - 1);
    return output;
}

void PlanWriter::fill(std::size_t number) {
    const Wait& wait = waits_[number];
    Bucket& bucket = bucketOf(wait.kind);
    isPending_[wait.output.value] = true;
    bucket.waits.push_back(number);
    bucket.bytes += wait.bytes;
    if (bucket.bytes >= bucketBytes_) {
        flush(bucket);
    }
}

std::size_t PlanWriter::kindOf(const Placed& source, const Placed& target) {
    const BucketKind kind{source.mesh, spreads_.at(source.type).dtype,
                          reducedAxes(source.placements, target.placements)};
    const auto found = std::ranges::find(kinds_, kind);
    if (found != kinds_.end()) {
        return static_cast<std::size_t>(found - kinds_.begin());
    }
    kinds_.push_back(kind);
    return kinds_.size() - 1;
}

PlanWriter::Bucket& PlanWriter::bucketOf(std::size_t kind) {
    const auto found = std::ranges::find(buckets_, kind, &Bucket::kind);
    return found != buckets_.end() ? *found : buckets_.emplace_back(Bucket{.kind = kind});
}

void PlanWriter::demand(const std::vector<PlacedId>& operands, bool isBackward) {
    std::vector<PlacedId> pending;
    std::ranges::copy_if(operands, std::back_inserter(pending),
                         [&](PlacedId id) { return !id.isNone() && isPending_[id.value]; });
    if (pending.empty()) {
        return;
    }
    isPlain_ = isPlain_ && plan_.nodes.size() == steps_[step_].nodes;
    for (Bucket& bucket : buckets_) {
        const std::vector<std::size_t> asked = takeOut(bucket, pending, !isBackward);
        if (!asked.empty()) {
            write(asked);
        }
    }
}

/// Few of many are asked for, and mostly the newest: the rest stays where it is.
std::vector<std::size_t> PlanWriter::takeOut(Bucket& bucket, const std::vector<PlacedId>& asked,
                                             bool wantsAll) const {
    std::vector<std::size_t>& waits = bucket.waits;
    std::vector<std::size_t> chosen;
    for (const PlacedId id : asked) {
        const auto found = std::find_if(waits.rbegin(), waits.rend(),
                                        [&](std::size_t k) { return waits_[k].output == id; });
        if (found != waits.rend()) {
            chosen.push_back(static_cast<std::size_t>(waits.rend() - found) - 1);
        }
    }
    std::vector<std::size_t> taken;
    if (!chosen.empty() && wantsAll) {
        taken.swap(waits);
        bucket.bytes = 0;
        return taken;
    }
    std::ranges::sort(chosen);
    const auto repeated = std::ranges::unique(chosen);
    chosen.erase(repeated.begin(), repeated.end());
    for (const std::size_t k : chosen) {
        bucket.bytes -= waits_[waits[k]].bytes;
        taken.push_back(waits[k]);
    }
    for (std::size_t k = chosen.size(); k-- > 0;) {
        waits.erase(waits.begin() + static_cast<std::ptrdiff_t>(chosen[k]));
    }
    return taken;
}

void PlanWriter::flush() {
    for (Bucket& bucket : buckets_) {
        flush(bucket);
    }
}

void PlanWriter::flush(Bucket& bucket) {
    bucket.bytes = 0;
    if (!bucket.waits.empty()) {
        write(std::exchange(bucket.waits, {}));
    }
}

void PlanWriter::write(const std::vector<std::size_t>& waits) {
    std::vector<PlacedId> inputs;
    std::vector<PlacedId> outputs;
    for (const std::size_t k : waits) {
        inputs.push_back(waits_[k].input);
        outputs.push_back(waits_[k].output);
    }
    const bool isOne = waits.size() == 1;
    std::string name =
        isOne ? waits_[waits.front()].name : fmt::format("gradients {}", ++bucketsWritten_);
    if (writeAsBefore(inputs, outputs, name)) {
        return;
    }
    const PlanNodeId node =
        addCollective(CollectiveKind::allReduce, std::move(inputs), std::move(outputs),
                      std::move(name), isOne ? waits_[waits.front()].origin : Origin{});
    states_[node.value] = NodeState::ofBucket;
    bucketNodes_.push_back(node);
    for (const std::size_t k : waits) {
        const Wait& wait = waits_[k];
        plan_.traffic.push_back({wait.origin, wait.origin, wait.name, node, true});
    }
}

std::vector<PlacedId> PlanWriter::bringTogether(const Graph& graph,
                                                const std::vector<ValueId>& values, SpreadId target,
                                                const std::string& name) {
    struct Group {
        CollectiveKind kind;
        DType dtype;
        MeshId from;
        std::vector<PlacedId> inputs, outputs;
    };
    // One step of each value at a time, so that equal steps meet.
    while (true) {
        std::vector<Group> groups;
        for (const ValueId value : values) {
            const Held from = held(value).back();
            if (!find(value, target).isNone()) {
                continue;
            }
            const Spreads::Step step =
                spreads_.change(typeOf(value), from.spread, target).steps.front();
            const DType dtype = graph.at(value).dtype;
            const bool anyMesh = step.kind == CollectiveKind::exchange;
            auto group = std::ranges::find_if(groups, [&](const Group& known) {
                return known.kind == step.kind && known.dtype == dtype &&
                       (anyMesh || known.from == plan_.at(from.placed).mesh);
            });
            if (group == groups.end()) {
                group = groups.insert(groups.end(),
                                      {step.kind, dtype, plan_.at(from.placed).mesh, {}, {}});
            }
            if (std::ranges::find(group->inputs, from.placed) == group->inputs.end()) {
                group->inputs.push_back(from.placed);
                group->outputs.push_back(addPlaced(value, step.spread, {}));
            }
        }
        if (groups.empty()) {
            break;
        }
        for (Group& group : groups) {
            const PlanNodeId node = addCollective(group.kind, std::move(group.inputs),
                                                  std::move(group.outputs), name, {});
            if (!isLocal(group.kind)) {
                plan_.traffic.push_back({{}, {}, name, node, false});
            }
        }
    }
    std::vector<PlacedId> placed;
    placed.reserve(values.size());
    for (const ValueId value : values) {
        placed.push_back(find(value, target));
    }
    return placed;
}

} // namespace weft
