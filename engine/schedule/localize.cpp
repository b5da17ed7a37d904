// SPDX-License-Identifier: Apache-2.0
#include "device/repeat_body.h"
#include "graph/op.h"
#include "place/unroll.h"
#include "schedule/predict/most_sent.h"
#include "schedule/task.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace weft {

int LocalPlan::storageOf(int value) const {
    while (values[static_cast<std::size_t>(value)].aliasOf >= 0) {
        value = values[static_cast<std::size_t>(value)].aliasOf;
    }
    return value;
}

namespace {

Bytes bytesOf(const TensorPart& part) { return bytesIn(part.format, part.dtype, part.shape); }

/// Checks types: a kernel reads its operands as the op declares them.
void requireTypes(const Op& op, const KernelRequest& request) {
    std::vector<DType> types;
    types.reserve(request.inputs.size());
    std::ranges::transform(request.inputs, std::back_inserter(types), &TensorPart::dtype);
    ensure(!typeFault(op, types), "the operands of a kernel have the element types of its op");
}

class Localizer {
public:
    Localizer(std::shared_ptr<const Plan> plan, DeviceId device, const LocalizeRequest& request)
        : plan_(*plan), graph_(*plan->graph), request_(request) {
        local_.plan = std::move(plan);
        local_.device = device;
        byPlaced_.assign(plan_.values.size(), -1);
    }

    LocalPlan run() {
        for (const SlotHome& home : plan_.slots) {
            const int value = holds(home.home) ? valueFor(home.home) : -1;
            if (value >= 0) {
                at(value).slot = home.slot;
            }
            local_.slots.push_back(value);
        }
        for (const PlacedId feed : plan_.feeds) {
            local_.feeds.push_back(pinned(feed));
        }
        for (std::uint32_t n = 0; n < plan_.nodes.size(); ++n) {
            const PlanNode& node = plan_.nodes[n];
            if (node.node.isNone()) {
                addChange({n}, node);
            } else if (plan_.memberOf(node.mesh, local_.device) >= 0) {
                node.body ? addRepeat({n}, node) : addCompute({n}, node);
            }
        }
        for (const PlacedId result : plan_.results) {
            local_.results.push_back(pinned(result));
        }
        for (const SlotHome& home : plan_.slots) {
            local_.slotNext.push_back(!home.next.isNone() && holds(home.next) ? valueFor(home.next)
                                                                              : -1);
        }
        return std::move(local_);
    }

private:
    LocalValue& at(int value) { return local_.values[static_cast<std::size_t>(value)]; }

    [[nodiscard]] bool holds(PlacedId id) const {
        return plan_.memberOf(plan_.at(id).mesh, local_.device) >= 0 &&
               !plan_.boxOf(id, local_.device).isEmpty();
    }

    int pinned(PlacedId id) {
        if (!holds(id)) {
            return -1;
        }
        const int value = valueFor(id);
        at(local_.storageOf(value)).isPinned = true;
        return value;
    }

    /// Returns the local value of a placed value and creates it on first use.
    int valueFor(PlacedId id) {
        int& known = byPlaced_[id.value];
        if (known < 0) {
            const Value& value = plan_.valueOf(id);
            const Box box = plan_.boxOf(id, local_.device);
            LocalValue made{.placed = id,
                            .part = {value.dtype, box.shape(), box.begin, value.shape, {}}};
            made.bytes = bytesOf(made.part);
            known = static_cast<int>(local_.values.size());
            local_.values.push_back(std::move(made));
        }
        return known;
    }

    void addCompute(PlanNodeId id, const PlanNode& planned) {
        const Node& node = graph_.at(planned.node);
        Task task{.node = id, .name = nameOfTask(node), .origin = node.origin};
        bool isEmpty = false;
        for (const PlacedId input : planned.inputs) {
            const int value = valueFor(input);
            task.inputs.push_back(value);
            isEmpty = isEmpty || at(value).part.elements() == 0;
            task.request.inputs.push_back(at(value).part);
            task.traffic += at(value).bytes;
        }
        bool makes = false;
        for (const PlacedId output : planned.outputs) {
            const int value = valueFor(output);
            task.outputs.push_back(value);
            makes = makes || at(value).part.elements() > 0;
            task.request.outputs.push_back(at(value).part);
            task.traffic += at(value).bytes;
        }
        if (!makes) {
            return;
        }
        if (isEmpty) {
            addFills(id, planned, task.name);
            return;
        }
        requireTypes(*node.op, task.request);
        task.request.op = node.op->name;
        task.request.attributes = node.attributes;
        task.request.randomKey = randomKeyOf(node, request_.seed);
        task.draws = node.op->random;
        task.flops = localFlops(node, task);
        task.inPlace = node.op->inPlace;
        local_.tasks.push_back(std::move(task));
    }

    /// The body becomes a local plan of its own, which handles operands of size zero.
    void addRepeat(PlanNodeId id, const PlanNode& planned) {
        const Node& node = graph_.at(planned.node);
        Task task{.node = id, .name = nameOfTask(node), .origin = node.origin};
        bool isWhole = true;
        bool makes = false;
        for (const PlacedId input : planned.inputs) {
            task.inputs.push_back(valueFor(input));
            task.request.inputs.push_back(at(task.inputs.back()).part);
            isWhole = isWhole && task.request.inputs.back().elements() > 0;
        }
        for (const PlacedId output : planned.outputs) {
            task.outputs.push_back(valueFor(output));
            task.request.outputs.push_back(at(task.outputs.back()).part);
            const bool isEmpty = task.request.outputs.back().elements() == 0;
            isWhole = isWhole && !isEmpty;
            makes = makes || !isEmpty;
        }
        if (!makes) {
            return;
        }
        const RepeatForm form = repeatForm(node);
        auto repeat = std::make_shared<RepeatTask>(
            RepeatTask{form, localize(planned.body, local_.device, request_), keysOf(node, form)});
        for (const Task& inside : repeat->round.tasks) {
            task.flops += inside.flops * form.count;
            task.traffic += inside.traffic * form.count;
        }
        task.request.op = node.op->name;
        task.request.attributes = node.attributes;
        if (isWhole) {
            task.request.repeat = bodyOf(*repeat);
        }
        task.repeat = std::move(repeat);
        local_.tasks.push_back(std::move(task));
    }

    /// Returns per random key of the body a key for each iteration, which depends on the
    /// iteration's position.
    [[nodiscard]] std::map<std::uint64_t, std::vector<std::uint64_t>>
    keysOf(const Node& repeat, const RepeatForm& form) const {
        std::map<std::uint64_t, std::vector<std::uint64_t>> keys;
        for (const Node& node : repeat.body->nodes) {
            if (!node.op->random) {
                continue;
            }
            auto& rounds = keys[randomKeyOf(node, request_.seed)];
            for (std::int64_t round = 0; rounds.size() < static_cast<std::size_t>(form.count);
                 ++round) {
                Node drawing{.op = node.op, .origin = node.origin, .role = node.role};
                drawing.role += roundName(form.position(round));
                rounds.push_back(randomKeyOf(drawing, request_.seed));
            }
        }
        return keys;
    }

    static std::shared_ptr<const RepeatBody> bodyOf(const RepeatTask& repeat) {
        const LocalPlan& round = repeat.round;
        auto body = std::make_shared<RepeatBody>();
        body->form = repeat.form;
        const auto stored = [&](std::vector<int> values) {
            for (int& value : values) {
                value = value < 0 ? value : round.storageOf(value);
            }
            return values;
        };
        for (const LocalValue& value : round.values) {
            body->values.push_back(value.part);
        }
        body->operands = stored(round.feeds);
        body->results = stored(round.results);
        for (const Task& task : round.tasks) {
            body->members.push_back(task.request);
            body->reads.push_back(stored(task.inputs));
            body->writes.push_back(stored(task.outputs));
            const auto keys = repeat.keys.find(task.request.randomKey);
            body->keys.push_back(task.draws && keys != repeat.keys.end()
                                     ? keys->second
                                     : std::vector<std::uint64_t>{});
        }
        return body;
    }

    /// Handles operands of size zero: the results are those of a sum or maximum over nothing. No
    /// kernel is called.
    void addFills(PlanNodeId id, const PlanNode& planned, const std::string& name) {
        for (const PlacedId output : planned.outputs) {
            const bool isMax =
                std::ranges::any_of(plan_.at(output).placements, [](const Placement& p) {
                    return p.kind == Placement::Kind::partialMax;
                });
            addCopy(id, -1, valueFor(output),
                    isMax ? -std::numeric_limits<double>::infinity() : 0.0, name + " of nothing");
        }
    }

    [[nodiscard]] Flops localFlops(const Node& node, const Task& task) const {
        const std::int64_t whole = flopsOf(graph_, node).count;
        if (whole == 0) {
            return {};
        }
        // The fraction of the operations is that of the result, or of an operand if a contracted
        // letter is split.
        double share = 0;
        for (const TensorPart& part : task.request.outputs) {
            share = std::max(share, fraction(part));
        }
        const auto& letters = plan_.nodes[task.node.value].letters;
        if (std::ranges::any_of(letters,
                                [](const std::string& letter) { return !letter.empty(); })) {
            for (const TensorPart& part : task.request.inputs) {
                share = std::min(share, fraction(part));
            }
        }
        return {static_cast<std::int64_t>(static_cast<double>(whole) * share)};
    }
    static double fraction(const TensorPart& part) {
        const auto whole = static_cast<double>(elementsOf(part.whole));
        return whole == 0 ? 1 : static_cast<double>(part.elements()) / whole;
    }

    [[nodiscard]] std::string nameOfTask(const Node& node) const {
        const std::string& layer = graph_.layerName(node.origin);
        return layer.empty() ? node.op->name : layer + ": " + node.op->name;
    }

    void addChange(PlanNodeId id, const PlanNode& planned) {
        if (!isLocal(planned.collective)) {
            addCollective(id, planned);
            return;
        }
        for (std::size_t k = 0; k < planned.inputs.size(); ++k) {
            if (holds(planned.outputs[k])) {
                addLocalChange(id, planned, planned.inputs[k], planned.outputs[k]);
            }
        }
    }

    void addLocalChange(PlanNodeId id, const PlanNode& planned, PlacedId from, PlacedId to) {
        const std::string name = fmt::format("{} ({})", planned.name, nameOf(planned.collective));
        const int target = valueFor(to);
        if (!holds(from) || isZeroHere(planned, to)) {
            addCopy(id, -1, target, 0.0, name);
            return;
        }
        const int source = valueFor(from);
        const TensorPart whole = at(source).part;
        const TensorPart part = at(target).part;
        if (whole.shape == part.shape && whole.begin == part.begin) {
            at(target).aliasOf = source;
            return;
        }
        addCopy(id, source, target, 0.0, name);
    }

    /// Replicated to partial: only the first device along the axis keeps its value.
    [[nodiscard]] bool isZeroHere(const PlanNode& planned, PlacedId to) const {
        if (planned.collective != CollectiveKind::keepFirst) {
            return false;
        }
        const Placed& source = plan_.at(planned.inputs.front());
        const Placed& target = plan_.at(to);
        const Mesh& mesh = plan_.at(target.mesh);
        const auto member = static_cast<std::size_t>(plan_.memberOf(target.mesh, local_.device));
        for (std::size_t axis = 0; axis < mesh.axes(); ++axis) {
            if (target.placements[axis].isPartial() && source.placements[axis].isReplicated() &&
                mesh.coordinate(member, axis) != 0) {
                return true;
            }
        }
        return false;
    }

    void addCopy(PlanNodeId id, int source, int target, double fill, std::string name) {
        Task task{.kind = StepKind::copy, .node = id, .outputs = {target}, .name = std::move(name)};
        task.request.op = "weft.copy_part";
        task.request.attributes.set("fill", fill);
        if (source >= 0) {
            task.inputs = {source};
            task.request.inputs = {at(source).part};
        }
        task.request.outputs = {at(target).part};
        task.traffic = at(target).bytes * 2;
        task.origin = plan_.nodes[id.value].origin;
        local_.tasks.push_back(std::move(task));
    }

    void addCollective(PlanNodeId id, const PlanNode& planned) {
        CollectiveRequest request = collectiveOf(plan_, id, local_.device, request_.wantsTransfers);
        if (std::ranges::find(request.members, local_.device) == request.members.end()) {
            return;
        }
        Task task{.kind = StepKind::collective,
                  .node = id,
                  .name = fmt::format("{} ({})", planned.name, request.kind),
                  .origin = planned.origin};
        for (std::size_t k = 0; k < planned.inputs.size(); ++k) {
            task.inputs.push_back(holds(planned.inputs[k]) ? valueFor(planned.inputs[k]) : -1);
            task.outputs.push_back(holds(planned.outputs[k]) ? valueFor(planned.outputs[k]) : -1);
            if (request.isAllReduce && task.inputs.back() >= 0 && task.outputs.back() >= 0) {
                task.inPlace.push_back({k, k});
            }
        }
        task.traffic = sent_.bytesOf(plan_, planned, request.members);
        task.collective = std::move(request);
        local_.tasks.push_back(std::move(task));
    }

    const Plan& plan_;
    const Graph& graph_;
    LocalizeRequest request_;
    MostSentBytes sent_;
    LocalPlan local_;
    std::vector<int> byPlaced_;
};

} // namespace

LocalPlan localize(std::shared_ptr<const Plan> plan, DeviceId device,
                   const LocalizeRequest& request) {
    return Localizer(std::move(plan), device, request).run();
}

} // namespace weft
