// SPDX-License-Identifier: Apache-2.0
#include "support/simulated_plan.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft::test {

namespace {

bool isMax(const Placements& placements) {
    return std::ranges::any_of(placements, [](const Placement& placement) {
        return placement.kind == Placement::Kind::partialMax;
    });
}

Shape inside(const Box& outer, const Box& inner) {
    Shape begin = inner.begin;
    for (std::size_t dim = 0; dim < begin.size(); ++dim) {
        begin[dim] -= outer.begin[dim];
    }
    return begin;
}

class Simulation {
public:
    Simulation(const Plan& plan, Oracle& oracle, std::uint64_t seed)
        : plan_(plan), oracle_(oracle), seed_(seed) {}

    PlacedTensors run(const std::map<ValueId, Tensor>& given) {
        for (std::uint32_t k = 0; k < plan_.values.size(); ++k) {
            if (plan_.values[k].producer.isNone()) {
                cut({k}, given.at(plan_.values[k].value));
            }
        }
        for (const PlanNode& node : plan_.nodes) {
            if (node.node.isNone()) {
                for (std::size_t k = 0; k < node.inputs.size(); ++k) {
                    move(node.inputs[k], node.outputs[k]);
                }
            } else {
                compute(node);
            }
        }
        return std::move(values_);
    }

private:
    [[nodiscard]] DType typeOf(PlacedId id) const {
        const DType dtype = plan_.valueOf(id).dtype;
        return isFloating(dtype) ? DType::f64 : dtype;
    }
    [[nodiscard]] const std::vector<DeviceId>& devices(PlacedId id) const {
        return plan_.at(plan_.at(id).mesh).devices;
    }

    /// For a partial sum, the first device along every axis gets everything and the others nothing.
    void cut(PlacedId id, const Tensor& whole) {
        const Placed& placed = plan_.at(id);
        const Mesh& mesh = plan_.at(placed.mesh);
        for (std::size_t member = 0; member < mesh.devices.size(); ++member) {
            bool hasAll = true;
            for (std::size_t axis = 0; axis < mesh.axes(); ++axis) {
                hasAll = hasAll && (!placed.placements[axis].isPartial() ||
                                    mesh.coordinate(member, axis) == 0);
            }
            const DeviceId device = mesh.devices[member];
            const Box box = plan_.boxOf(id, device);
            values_[{id, device}] = hasAll ? sliceOf(whole.as(typeOf(id)), box.begin, box.shape())
                                           : Tensor(typeOf(id), box.shape());
        }
    }

    void move(PlacedId from, PlacedId to) {
        const Placed& source = plan_.at(from);
        const Placed& target = plan_.at(to);
        const bool takesMax = isMax(source.placements);
        for (const DeviceId device : devices(to)) {
            values_[{to, device}] = Tensor(typeOf(to), plan_.boxOf(to, device).shape());
        }
        std::map<std::pair<DeviceId, Shape>, bool> isWritten;
        for (const BlockTransfer& block :
             blockTransfers(plan_.valueOf(from).shape, plan_.at(source.mesh), source.placements,
                            plan_.at(target.mesh), target.placements)) {
            const Tensor& whole = values_.at({from, block.from});
            Tensor& into = values_.at({to, block.to});
            const Tensor piece =
                sliceOf(whole, inside(plan_.boxOf(from, block.from), block.box), block.box.shape());
            bool& isSecond = isWritten[{block.to, block.box.begin}];
            eachInPart(into.shape, inside(plan_.boxOf(to, block.to), block.box), block.box.shape(),
                       [&](std::int64_t at, std::int64_t element) {
                           const double old = into.at(at);
                           const double next = piece.at(element);
                           into.set(at, !block.reduces || !isSecond ? next
                                        : takesMax                  ? std::max(old, next)
                                                                    : old + next);
                       });
            isSecond = true;
        }
    }

    void compute(const PlanNode& planned) {
        const Node& node = plan_.graph->at(planned.node);
        for (const DeviceId device : plan_.at(planned.mesh).devices) {
            std::vector<TensorPart> inputParts;
            std::vector<TensorPart> outputParts;
            std::vector<Tensor> inputs;
            bool isEmpty = false;
            bool makes = false;
            inputParts.reserve(planned.inputs.size());
            for (const PlacedId id : planned.inputs) {
                inputParts.push_back(part(id, device));
                inputs.push_back(values_.at({id, device}));
                isEmpty = isEmpty || inputs.back().elements() == 0;
            }
            for (const PlacedId id : planned.outputs) {
                outputParts.push_back(part(id, device));
                makes = makes || outputParts.back().elements() > 0;
            }
            if (isEmpty || !makes) {
                makeNothing(planned, device);
                continue;
            }
            auto results = oracle_.run(node.op->name, node.attributes, inputs, inputParts,
                                       outputParts, {.randomKey = randomKeyOf(node, seed_)});
            for (std::size_t k = 0; k < results.size(); ++k) {
                values_[{planned.outputs[k], device}] = std::move(results[k]);
            }
        }
    }

    [[nodiscard]] TensorPart part(PlacedId id, DeviceId device) const {
        const Box box = plan_.boxOf(id, device);
        return {typeOf(id), box.shape(), box.begin, plan_.valueOf(id).shape, {}};
    }

    /// A kernel never sees an empty part: its sum is zero, its maximum minus infinity.
    void makeNothing(const PlanNode& planned, DeviceId device) {
        for (const PlacedId id : planned.outputs) {
            Tensor made(typeOf(id), plan_.boxOf(id, device).shape());
            const bool takesMax = isMax(plan_.at(id).placements);
            for (std::int64_t k = 0; takesMax && k < made.elements(); ++k) {
                made.set(k, -std::numeric_limits<double>::infinity());
            }
            values_[{id, device}] = std::move(made);
        }
    }

    const Plan& plan_;
    Oracle& oracle_;
    std::uint64_t seed_;
    PlacedTensors values_;
};

} // namespace

PlacedTensors runPlan(const Plan& plan, Oracle& oracle, const std::map<ValueId, Tensor>& given,
                      std::uint64_t seed) {
    return Simulation(plan, oracle, seed).run(given);
}

Tensor wholeOf(const Plan& plan, const PlacedTensors& values, PlacedId id, double tolerance) {
    const Placed& placed = plan.at(id);
    const Mesh& mesh = plan.at(placed.mesh);
    const Shape& shape = plan.valueOf(id).shape;
    const DType dtype = values.at({id, mesh.devices.front()}).dtype;
    Tensor whole(dtype, shape);
    // Sums (or maxima) of those whose coordinates differ on Partial axes only, then compared.
    std::map<std::vector<std::int64_t>, std::pair<Box, Tensor>> parts;
    for (std::size_t member = 0; member < mesh.devices.size(); ++member) {
        std::vector<std::int64_t> key;
        for (std::size_t axis = 0; axis < mesh.axes(); ++axis) {
            key.push_back(placed.placements[axis].isPartial() ? 0 : mesh.coordinate(member, axis));
        }
        const Tensor& own = values.at({id, mesh.devices[member]});
        auto [found, isNew] =
            parts.try_emplace(key, boxOf(shape, mesh, placed.placements, member), own);
        for (std::int64_t k = 0; !isNew && k < own.elements(); ++k) {
            Tensor& sum = found->second.second;
            sum.set(k, isMax(placed.placements) ? std::max(sum.at(k), own.at(k))
                                                : sum.at(k) + own.at(k));
        }
    }
    std::vector<bool> isWritten(static_cast<std::size_t>(whole.elements()), false);
    for (const auto& [key, part] : parts) {
        const auto& [box, tensor] = part;
        eachInPart(shape, box.begin, box.shape(), [&](std::int64_t at, std::int64_t element) {
            const double number = tensor.at(element);
            const double margin = tolerance * std::max(1.0, std::abs(number));
            const bool differs = isWritten[static_cast<std::size_t>(at)] &&
                                 !(std::abs(whole.at(at) - number) <= margin);
            ensure(!differs, "devices that hold the same part hold the same numbers");
            whole.set(at, number);
            isWritten[static_cast<std::size_t>(at)] = true;
        });
    }
    ensure(std::ranges::find(isWritten, false) == isWritten.end(), "parts cover the whole");
    return whole;
}

} // namespace weft::test
