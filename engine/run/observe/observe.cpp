// SPDX-License-Identifier: Apache-2.0
#include "run/observe/observe.h"

#include "run/execute/worker_pool.h"
#include "run/observe/watched.h"
#include <weft/error.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>

namespace weft {

namespace {

/// The copies of one worker, made on its streams' threads. Each step writes its own copies.
class Copies final : public StepObserver {
public:
    Copies(WorkerPool& pool, std::size_t worker, std::size_t member)
        : pool_(pool), worker_(worker), member_(member) {}

    void want(PlacedId placed) { wanted_[placed] = {}; }
    void setChange(const ChangeValue* change) { change_ = change; }

    void onStepDone(const BoundProgram& bound, std::uint32_t index) override {
        const Step& step = bound.program().steps[index];
        for (std::size_t k = 0; k < step.outputContents.size(); ++k) {
            const auto found = wanted_.find(step.outputContents[k].placed);
            // A reorder would produce the same numbers again.
            if (found != wanted_.end() && !step.node.isNone()) {
                copy(step.outputs[k], step.outputContents[k].part, found->second);
                change(bound, step.outputs[k], step.outputContents[k], found->second);
            }
        }
    }

    void change(const BoundProgram& bound, const Buffer& buffer, const StepOutput& made,
                const std::vector<std::byte>& plain) {
        if (change_ == nullptr || !*change_) {
            return;
        }
        std::vector<std::byte> changed = plain;
        if (!(*change_)(bound.program().plan->at(made.placed).value, changed)) {
            return;
        }
        std::vector<std::byte> held(static_cast<std::size_t>(buffer.size.count));
        intoFormat(made.part.format, made.part.shape, byteSize(made.part.dtype), changed.data(),
                   held.data());
        pool_.copyIn(worker_, member_, buffer, held.data());
    }

    void copy(const Buffer& buffer, const TensorPart& part, std::vector<std::byte>& plain) const {
        std::vector<std::byte> held(static_cast<std::size_t>(buffer.size.count));
        pool_.copyOut(worker_, member_, buffer, held.data());
        plain.resize(static_cast<std::size_t>(part.elements()) * byteSize(part.dtype));
        outOfFormat(part.format, part.shape, byteSize(part.dtype), held.data(), plain.data());
    }

    /// Copies the present value of a feed or a slot.
    void take(PlacedId placed, const Buffer& buffer, const TensorPart& part) {
        copy(buffer, part, wanted_[placed]);
    }

    void forget() {
        for (auto& [placed, bytes] : wanted_) {
            bytes.clear();
        }
    }

    [[nodiscard]] const std::vector<std::byte>* of(PlacedId placed) const {
        const auto found = wanted_.find(placed);
        return found == wanted_.end() || found->second.empty() ? nullptr : &found->second;
    }

private:
    WorkerPool& pool_;
    std::size_t worker_;
    std::size_t member_;
    const ChangeValue* change_ = nullptr; ///< only during a run
    std::map<PlacedId, std::vector<std::byte>> wanted_;
};

template <class T>
void combine(const std::byte* from, std::byte* to, std::size_t count, bool isMax) {
    for (std::size_t k = 0; k < count; ++k) {
        T a{};
        T b{};
        std::memcpy(&a, from + k * sizeof(T), sizeof(T));
        std::memcpy(&b, to + k * sizeof(T), sizeof(T));
        b = isMax ? std::max(a, b) : static_cast<T>(a + b);
        std::memcpy(to + k * sizeof(T), &b, sizeof(T));
    }
}

/// Writes a part into the whole. Parts after the first of a sum or maximum are combined.
void place(const std::vector<std::byte>& part, const Box& box, Array& whole, bool combines,
           bool isMax) {
    const std::size_t rank = whole.shape.size();
    const std::size_t size = byteSize(whole.dtype);
    const std::int64_t run = rank == 0 ? 1 : box.end[rank - 1] - box.begin[rank - 1];
    Shape index = box.begin;
    for (std::int64_t row = 0; row < box.elements() / std::max<std::int64_t>(run, 1); ++row) {
        std::int64_t at = 0;
        for (std::size_t k = 0; k < rank; ++k) {
            at = at * whole.shape[k] + index[k];
        }
        const std::byte* from = part.data() + static_cast<std::size_t>(row * run) * size;
        std::byte* to = whole.bytes.data() + static_cast<std::size_t>(at) * size;
        const auto count = static_cast<std::size_t>(run);
        if (!combines) {
            std::memcpy(to, from, count * size);
        } else if (whole.dtype == DType::f64) {
            combine<double>(from, to, count, isMax);
        } else if (whole.dtype == DType::f32) {
            combine<float>(from, to, count, isMax);
        } else {
            ensure(whole.dtype == DType::i64, "a Partial value is of a type that can be summed");
            combine<std::int64_t>(from, to, count, isMax);
        }
        for (std::size_t k = rank - (rank > 0 ? 1 : 0); k-- > 0;) {
            if (++index[k] < box.end[k]) {
                break;
            }
            index[k] = box.begin[k];
        }
    }
}

/// Returns members that together hold the value once: the first along every replicated axis.
std::vector<std::size_t> holdersOf(const Plan& plan, PlacedId id) {
    const Placed& placed = plan.at(id);
    const Mesh& mesh = plan.at(placed.mesh);
    std::vector<std::size_t> holders;
    for (std::size_t m = 0; m < mesh.devices.size(); ++m) {
        bool repeats = false;
        for (std::size_t axis = 0; axis < mesh.axes(); ++axis) {
            repeats = repeats ||
                      (placed.placements[axis].isReplicated() && mesh.coordinate(m, axis) != 0);
        }
        if (!repeats && !plan.boxOf(id, mesh.devices[m]).isEmpty()) {
            holders.push_back(m);
        }
    }
    return holders;
}

} // namespace

struct Observation::State {
    WorkerPool& pool;
    const Variant& member;
    std::size_t index;
    std::map<ValueId, PlacedId> placedOf;
    std::vector<Copies> workers;

    /// Returns a value as its op computes it, before any change of placement, or a feed or slot as
    /// placed.
    [[nodiscard]] PlacedId asMade(ValueId value) const {
        const Plan& plan = *member.plan;
        for (std::uint32_t k = 0; k < plan.values.size(); ++k) {
            const Placed& placed = plan.values[k];
            if (placed.value == value &&
                (placed.producer.isNone() || !plan.at(placed.producer).node.isNone())) {
                return {k};
            }
        }
        return {};
    }

    /// Copies feeds and slots before the step, which may overwrite them.
    void takeGiven() {
        for (std::size_t w = 0; w < workers.size(); ++w) {
            const Program& program = pool.program(w, index).program();
            const Plan& plan = *program.plan;
            const auto isWanted = [&](PlacedId placed) {
                return std::ranges::any_of(
                    placedOf, [&](const auto& wanted) { return wanted.second == placed; });
            };
            for (std::size_t f = 0; f < plan.feeds.size(); ++f) {
                if (program.feeds[f].isHeld && isWanted(plan.feeds[f])) {
                    workers[w].take(plan.feeds[f], program.feeds[f].buffer, program.feeds[f].part);
                }
            }
            for (std::size_t s = 0; s < plan.slots.size(); ++s) {
                if (program.slots[s].isHeld && isWanted(plan.slots[s].home)) {
                    workers[w].take(plan.slots[s].home, program.slots[s].buffer,
                                    program.slots[s].part);
                }
            }
        }
    }

    [[nodiscard]] const Copies* workerOf(DeviceId device) const {
        for (std::size_t w = 0; w < pool.size(); ++w) {
            if (pool.device(w).id == device) {
                return &workers[w];
            }
        }
        return nullptr;
    }
};

Observation::Observation(WorkerPool& pool, const Variant& member, std::size_t index,
                         const std::vector<ValueId>& values)
    : state_(std::make_unique<State>(State{pool, member, index, {}, {}})) {
    for (std::size_t w = 0; w < pool.size(); ++w) {
        state_->workers.emplace_back(pool, w, index);
    }
    for (const ValueId value : values) {
        const PlacedId placed = state_->asMade(value);
        if (placed.isNone()) {
            continue;
        }
        state_->placedOf[value] = placed;
        for (Copies& copies : state_->workers) {
            copies.want(placed);
        }
    }
}

Observation::~Observation() = default;

void Observation::run(const ChangeValue& change) {
    ensure(!change || state_->workers.size() == 1,
           "a value of one worker changes its placement as a whole");
    for (Copies& copies : state_->workers) {
        copies.forget();
        copies.setChange(&change);
    }
    state_->takeGiven();
    const ObserverScope watched(state_->pool, state_->index,
                                [this](std::size_t w) { return &state_->workers[w]; });
    state_->pool.run(state_->index);
    for (Copies& copies : state_->workers) {
        copies.setChange(nullptr);
    }
}

std::optional<Array> Observation::wholeValue(ValueId value, int rank,
                                             const FetchPart& fetch) const {
    const auto found = state_->placedOf.find(value);
    if (found == state_->placedOf.end()) {
        return std::nullopt;
    }
    const Plan& plan = *state_->member.plan;
    const Placed& placed = plan.at(found->second);
    const Value& described = plan.graph->at(value);
    const std::size_t size = byteSize(described.dtype);
    Array whole{.dtype = described.dtype, .shape = described.shape, .bytes = {}};
    whole.bytes.resize(static_cast<std::size_t>(elementsOf(described.shape)) * size);
    const bool combines = std::ranges::any_of(placed.placements, &Placement::isPartial);
    const bool isMax = std::ranges::find(placed.placements, Placement::Kind::partialMax,
                                         &Placement::kind) != placed.placements.end();
    std::vector<Box> seen;
    bool isMissing = false;
    for (const std::size_t m : holdersOf(plan, found->second)) {
        const DeviceId device = plan.at(placed.mesh).devices[m];
        const Box box = plan.boxOf(found->second, device);
        std::vector<std::byte> part;
        if (const Copies* copies = state_->workerOf(device)) {
            const std::vector<std::byte>* made = copies->of(found->second);
            isMissing = isMissing || made == nullptr;
            part = made == nullptr ? part : *made;
        }
        part.resize(static_cast<std::size_t>(box.elements()) * size);
        if (fetch && (rank != 0 || state_->workerOf(device) == nullptr)) {
            fetch(device, part);
        }
        const bool isFirst = std::ranges::find(seen, box) == seen.end();
        seen.push_back(box);
        place(part, box, whole, combines && !isFirst, isMax);
    }
    return isMissing ? std::nullopt : std::optional(std::move(whole));
}

namespace {

/// Returns a parameter's gradient; if an accumulator sums it up, the gradient of this step alone.
ValueId gradientFor(const Graph& graph, ValueId value) {
    for (const Slot& slot : graph.slots) {
        const bool isSum = slot.kind == SlotKind::accumulator && !slot.of.isNone() &&
                           graph.at(slot.of).value == value;
        if (isSum && !graph.gradientOf(slot.value).isNone()) {
            return graph.gradientOf(slot.value);
        }
    }
    return graph.gradientOf(value);
}

} // namespace

std::vector<NamedValue> valuesOf(const Variant& member, Origin layer, Weights weights) {
    const Graph& graph = *member.plan->graph;
    std::vector<NamedValue> values;
    const auto add = [&](const std::string& name, ValueId value) {
        values.push_back({name, layer, value});
        if (const ValueId gradient = gradientFor(graph, value); !gradient.isNone()) {
            values.push_back({name + ".gradient", layer, gradient});
        }
    };
    for (const auto& [port, value] : member.values) {
        if (port.first == layer) {
            add(graph.layerName(layer) + "." + port.second, value);
        }
    }
    std::ranges::copy_if(seriesOf(member), std::back_inserter(values),
                         [&](const NamedValue& series) { return series.layer == layer; });
    for (const Slot& slot : graph.slots) {
        const bool isOfEvaluation = slot.kind == SlotKind::layerState && slot.resetsAfterEvaluation;
        if (slot.origin != layer || slot.kind == SlotKind::optimizerState || isOfEvaluation) {
            continue;
        }
        if (slot.kind == SlotKind::accumulator) {
            values.push_back({slot.name, layer, slot.value});
        } else {
            add(slot.name, slot.value);
        }
        const auto added = std::ranges::find(values, slot.name, &NamedValue::name);
        if (weights == Weights::after && !slot.next.isNone()) {
            added->value = slot.next;
        }
    }
    return values;
}

std::vector<NamedValue> seriesOf(const Variant& member) {
    const Graph& graph = *member.plan->graph;
    std::vector<NamedValue> values;
    for (const Result& result : graph.results) {
        const NodeId producer = graph.at(result.value).producer;
        if (result.kind == ResultKind::series && !producer.isNone()) {
            values.push_back({result.name, graph.at(producer).origin, result.value, true});
        }
    }
    return values;
}

std::vector<ObservedValue> observe(WorkerPool& pool, const Variant& member, std::size_t index,
                                   const std::vector<NamedValue>& values, int rank,
                                   const FetchPart& fetch, const ChangeValue& change) {
    std::vector<ValueId> ids;
    ids.reserve(values.size());
    for (const NamedValue& value : values) {
        ids.push_back(value.value);
    }
    Observation observation(pool, member, index, ids);
    observation.run(change);
    std::vector<ObservedValue> observed;
    for (const NamedValue& value : values) {
        if (std::optional<Array> whole = observation.wholeValue(value.value, rank, fetch)) {
            observed.push_back({value.name, value.layer, std::move(*whole), value.isSeries});
        }
    }
    return observed;
}

} // namespace weft
