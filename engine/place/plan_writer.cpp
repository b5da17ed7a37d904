// SPDX-License-Identifier: Apache-2.0
#include "place/plan_writer.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>

namespace weft {

PlanWriter::PlanWriter(Shardings& shardings, double bucketMegabytes)
    : shardings_(shardings), bucketBytes_(static_cast<std::int64_t>(bucketMegabytes * 1e6)) {}

void PlanWriter::grow(const Graph& graph) {
    if (existing_.empty()) {
        // Expansions add values step by step: reserve room for them once.
        const std::size_t room = graph.values.size() + graph.values.size() / 2;
        existing_.reserve(room);
        types_.reserve(room);
        plan_.values.reserve(room);
        plan_.nodes.reserve(room);
    }
    existing_.resize(graph.values.size());
    for (std::size_t k = types_.size(); k < graph.values.size(); ++k) {
        types_.push_back(shardings_.type(graph.values[k].dtype, graph.values[k].shape));
    }
}

PlacedId PlanWriter::find(ValueId value, ShardingId sharding) const {
    const auto list = placementsOf(value);
    const auto found = std::ranges::find(list, sharding, &ExistingPlacement::sharding);
    return found == list.end() ? PlacedId{} : found->placed;
}

PlacedId PlanWriter::addPlaced(ValueId value, ShardingId sharding, PlanNodeId producer) {
    const PlacedId id{static_cast<std::uint32_t>(plan_.values.size())};
    const Sharding& at = shardings_.at(sharding);
    plan_.values.push_back({value, at.mesh, at.placements, producer, sharding, typeOf(value)});
    isPending_.push_back(false);
    existing_[value.value].push_back({sharding, id});
    return id;
}

void PlanWriter::addOp(NodeId node, MeshId mesh, std::vector<PlacedId> inputs,
                       const std::vector<ValueId>& results,
                       const std::vector<ShardingId>& shardings, std::vector<std::string> letters) {
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
        made.outputs.push_back(addPlaced(results[k], shardings[k], id));
    }
    plan_.nodes.push_back(std::move(made));
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

/// Returns which axes stop being Partial, so that the devices' terms along them are summed.
std::vector<bool> reducedAxes(const Placements& source, const Placements& target) {
    std::vector<bool> axes;
    for (std::size_t axis = 0; axis < target.size(); ++axis) {
        axes.push_back(source[axis].isPartial() && !target[axis].isPartial());
    }
    return axes;
}

} // namespace

std::string PlanWriter::nameOf(const Graph& graph, const ChangeReason& reason) const {
    if (!reason.name.empty()) {
        return reason.name;
    }
    if (reason.consumer == nullptr) {
        return nameOfValue(graph, reason.value);
    }
    const Node& node = *reason.consumer;
    const std::size_t port = std::min(reason.operand, node.op->inputs.size() - 1);
    const std::string& layer = graph.layerName(node.origin);
    return fmt::format("{} -> {}.{}", nameOfValue(graph, reason.value),
                       layer.empty() ? node.op->name : layer, node.op->inputs[port].name);
}

PlacedId PlanWriter::bring(const Graph& graph, ValueId value, ShardingId target,
                           const ChangeReason& reason) {
    ShardingId best;
    double least = 0;
    for (const ExistingPlacement& known : placementsOf(value)) {
        const double cost = shardings_.change(typeOf(value), known.sharding, target).nanoseconds;
        if (best.isNone() || cost < least || known.sharding == target) {
            best = known.sharding;
            least = cost;
        }
    }
    ensure(!best.isNone(), "a value has a placement before its placement is changed");
    return bring(graph, value, best, target, reason);
}

PlacedId PlanWriter::bring(const Graph& graph, ValueId value, ShardingId source, ShardingId target,
                           const ChangeReason& reason) {
    PlacedId at = find(value, source);
    if (isPending_[at.value] && source != target) {
        reduceFor({at}, reason.isBackward);
    }
    for (const Shardings::Step& step : shardings_.change(typeOf(value), source, target).steps) {
        if (const PlacedId known = find(value, step.sharding); !known.isNone()) {
            at = known;
            continue;
        }
        const PlacedId next = addPlaced(value, step.sharding, {});
        std::string name = nameOf(graph, reason);
        const PlanNodeId node = addCollective(
            step.kind, {at}, {next},
            reason.isBackward && reason.name.empty() ? name + ", backward" : name, reason.to);
        if (!isLocal(step.kind)) {
            plan_.traffic.push_back(
                {reason.from, reason.to, std::move(name), node, reason.isBackward});
        }
        at = next;
    }
    return at;
}

void PlanWriter::reduceTogether(const Graph& graph, const std::vector<OrderedChange>& changes) {
    struct Group {
        MeshId mesh;
        DType dtype = DType::f32;
        std::vector<bool> axes;
        std::vector<const OrderedChange*> changes;
    };
    std::vector<Group> groups;
    for (const OrderedChange& order : changes) {
        const auto& steps =
            shardings_.change(typeOf(order.value), order.source, order.target).steps;
        if (steps.size() != 1 || steps.front().kind != CollectiveKind::allReduce ||
            !find(order.value, order.target).isNone()) {
            continue;
        }
        const Sharding& source = shardings_.at(order.source);
        const auto axes = reducedAxes(source.placements, shardings_.at(order.target).placements);
        const DType dtype = graph.at(order.value).dtype;
        auto group = std::ranges::find_if(groups, [&](const Group& known) {
            return known.mesh == source.mesh && known.dtype == dtype && known.axes == axes;
        });
        if (group == groups.end()) {
            group = groups.insert(groups.end(), {source.mesh, dtype, axes, {}});
        }
        const bool isKnown = std::ranges::any_of(group->changes, [&](const OrderedChange* known) {
            return known->value == order.value;
        });
        if (!isKnown) {
            group->changes.push_back(&order);
        }
    }
    for (const Group& group : groups) {
        if (group.changes.size() < 2) {
            continue;
        }
        std::vector<PlacedId> inputs;
        std::vector<PlacedId> outputs;
        for (const OrderedChange* order : group.changes) {
            inputs.push_back(find(order->value, order->source));
            outputs.push_back(addPlaced(order->value, order->target, {}));
        }
        const ChangeReason& first = group.changes.front()->reason;
        const PlanNodeId node = addCollective(
            CollectiveKind::allReduce, std::move(inputs), std::move(outputs),
            fmt::format("{} and {} more", nameOf(graph, first), group.changes.size() - 1),
            first.to);
        for (const OrderedChange* order : group.changes) {
            plan_.traffic.push_back({order->reason.from, order->reason.to,
                                     nameOf(graph, order->reason), node, order->reason.isBackward});
        }
    }
}

PlacedId PlanWriter::bringGradient(const Graph& graph, ValueId gradient, ShardingId target,
                                   const ChangeReason& reason) {
    const ExistingPlacement from = placementsOf(gradient).back();
    const auto& steps = shardings_.change(typeOf(gradient), from.sharding, target).steps;
    const bool isDelayed = steps.size() == 1 && steps.front().kind == CollectiveKind::allReduce &&
                           find(gradient, target).isNone();
    if (!isDelayed) {
        return bring(graph, gradient, target, reason);
    }
    const PlacedId output = addPlaced(gradient, target, {});
    isPending_[output.value] = true;
    const std::int64_t bytes = shardings_.at(typeOf(gradient)).bytes().count;
    Bucket& bucket = bucketFor(plan_.at(from.placed), plan_.at(output).placements, reason.isSync);
    bucket.reductions.push_back({from.placed, output, nameOf(graph, reason), reason.to, bytes});
    bucket.bytes += bytes;
    if (bucket.bytes >= bucketBytes_) {
        flush(bucket);
    }
    return output;
}

PlanWriter::Bucket& PlanWriter::bucketFor(const Placed& source, const Placements& target,
                                          bool isSync) {
    const DType dtype = shardings_.at(source.type).dtype;
    const std::vector<bool> axes = reducedAxes(source.placements, target);
    const auto found = std::ranges::find_if(buckets_, [&](const Bucket& bucket) {
        return bucket.mesh == source.mesh && bucket.dtype == dtype && bucket.axes == axes &&
               bucket.isSync == isSync;
    });
    return found != buckets_.end()
               ? *found
               : buckets_.emplace_back(Bucket{source.mesh, dtype, axes, isSync, 0, {}});
}

void PlanWriter::reduceFor(const std::vector<PlacedId>& operands, bool isBackward) {
    std::vector<PlacedId> pending;
    std::ranges::copy_if(operands, std::back_inserter(pending),
                         [&](PlacedId id) { return !id.isNone() && isPending_[id.value]; });
    if (pending.empty()) {
        return;
    }
    for (Bucket& bucket : buckets_) {
        std::vector<DelayedReduction> asked = bucket.extract(pending, !isBackward);
        if (!asked.empty()) {
            write(std::move(asked), bucket.isSync);
        }
    }
}

/// Other reductions keep waiting, unless `wantsAll` is true and one of them is needed.
std::vector<PlanWriter::DelayedReduction>
PlanWriter::Bucket::extract(const std::vector<PlacedId>& asked, bool wantsAll) {
    std::vector<std::size_t> chosen;
    for (const PlacedId id : asked) {
        const auto found = std::ranges::lower_bound(reductions, id, {}, &DelayedReduction::output);
        if (found != reductions.end() && found->output == id) {
            chosen.push_back(static_cast<std::size_t>(found - reductions.begin()));
        }
    }
    std::vector<DelayedReduction> taken;
    if (!chosen.empty() && wantsAll) {
        taken.swap(reductions);
        bytes = 0;
        return taken;
    }
    std::ranges::sort(chosen);
    const auto repeated = std::ranges::unique(chosen);
    chosen.erase(repeated.begin(), repeated.end());
    for (const std::size_t k : chosen) {
        bytes -= reductions[k].bytes;
        taken.push_back(std::move(reductions[k]));
    }
    for (std::size_t k = chosen.size(); k-- > 0;) {
        reductions.erase(reductions.begin() + static_cast<std::ptrdiff_t>(chosen[k]));
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
    if (!bucket.reductions.empty()) {
        write(std::exchange(bucket.reductions, {}), bucket.isSync);
    }
}

void PlanWriter::write(std::vector<DelayedReduction> reductions, bool isSync) {
    std::vector<PlacedId> inputs;
    std::vector<PlacedId> outputs;
    for (const DelayedReduction& reduction : reductions) {
        inputs.push_back(reduction.input);
        outputs.push_back(reduction.output);
    }
    // A sum and its divisor have the same name.
    const bool isOne = std::ranges::all_of(reductions, [&](const DelayedReduction& reduction) {
        return reduction.name == reductions.front().name;
    });
    std::string name = isOne    ? reductions.front().name
                       : isSync ? fmt::format("sync {}", ++syncsWritten_)
                                : fmt::format("gradients {}", ++bucketsWritten_);
    const bool isOfOne =
        isOne || (isSync && std::ranges::all_of(reductions, [&](const DelayedReduction& reduction) {
                      return reduction.origin == reductions.front().origin;
                  }));
    const PlanNodeId node =
        addCollective(CollectiveKind::allReduce, std::move(inputs), std::move(outputs),
                      std::move(name), isOfOne ? reductions.front().origin : Origin{});
    for (DelayedReduction& reduction : reductions) {
        plan_.traffic.push_back(
            {reduction.origin, reduction.origin, std::move(reduction.name), node, true});
    }
}

std::vector<PlacedId> PlanWriter::bringTogether(const Graph& graph,
                                                const std::vector<ValueId>& values,
                                                ShardingId target, const std::string& name) {
    struct Group {
        CollectiveKind kind;
        DType dtype;
        MeshId from;
        std::vector<PlacedId> inputs, outputs;
    };
    // Takes one step of each value at a time, so that equal steps are combined.
    while (true) {
        std::vector<Group> groups;
        for (const ValueId value : values) {
            const ExistingPlacement from = placementsOf(value).back();
            if (!find(value, target).isNone()) {
                continue;
            }
            const Shardings::Step step =
                shardings_.change(typeOf(value), from.sharding, target).steps.front();
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
                group->outputs.push_back(addPlaced(value, step.sharding, {}));
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

namespace {

/// Values that are read, and the nodes that they need.
struct Uses {
    std::vector<bool> isUsed;
    std::vector<bool> isKept; ///< per node
};

Uses usesIn(const Plan& plan) {
    Uses uses{std::vector<bool>(plan.values.size(), false),
              std::vector<bool>(plan.nodes.size(), true)};
    const auto use = [&](PlacedId id) {
        if (!id.isNone()) {
            uses.isUsed[id.value] = true;
        }
    };
    std::ranges::for_each(plan.feeds, use);
    std::ranges::for_each(plan.results, use);
    for (const SlotHome& home : plan.slots) {
        use(home.home);
        use(home.next);
    }
    for (std::size_t n = plan.nodes.size(); n-- > 0;) {
        const PlanNode& node = plan.nodes[n];
        uses.isKept[n] = !node.node.isNone() || std::ranges::any_of(node.outputs, [&](PlacedId id) {
            return uses.isUsed[id.value];
        });
        if (uses.isKept[n]) {
            std::ranges::for_each(node.inputs, use);
            std::ranges::for_each(node.outputs, use);
        }
    }
    return uses;
}

} // namespace

Plan PlanWriter::take() {
    const auto [isUsed, isKept] = usesIn(plan_);
    if (std::ranges::find(isUsed, false) == isUsed.end()) {
        return std::move(plan_);
    }
    std::vector<PlacedId> newPlaced(plan_.values.size());
    std::vector<PlanNodeId> newNode(plan_.nodes.size());
    std::vector<Placed> values;
    for (std::size_t k = 0; k < plan_.values.size(); ++k) {
        if (isUsed[k]) {
            newPlaced[k] = {static_cast<std::uint32_t>(values.size())};
            values.push_back(std::move(plan_.values[k]));
        }
    }
    std::vector<PlanNode> nodes;
    for (std::size_t n = 0; n < plan_.nodes.size(); ++n) {
        if (isKept[n]) {
            newNode[n] = {static_cast<std::uint32_t>(nodes.size())};
            nodes.push_back(std::move(plan_.nodes[n]));
        }
    }
    const auto renumber = [&](PlacedId& id) { id = id.isNone() ? id : newPlaced[id.value]; };
    for (Placed& placed : values) {
        placed.producer =
            placed.producer.isNone() ? placed.producer : newNode[placed.producer.value];
    }
    for (PlanNode& node : nodes) {
        std::ranges::for_each(node.inputs, renumber);
        std::ranges::for_each(node.outputs, renumber);
    }
    std::ranges::for_each(plan_.feeds, renumber);
    std::ranges::for_each(plan_.results, renumber);
    for (SlotHome& home : plan_.slots) {
        renumber(home.home);
        renumber(home.next);
    }
    std::erase_if(plan_.traffic,
                  [&](const WireTraffic& wire) { return newNode[wire.node.value].isNone(); });
    for (WireTraffic& wire : plan_.traffic) {
        wire.node = newNode[wire.node.value];
    }
    plan_.values = std::move(values);
    plan_.nodes = std::move(nodes);
    return std::move(plan_);
}

} // namespace weft
