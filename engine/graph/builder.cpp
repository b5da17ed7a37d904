// SPDX-License-Identifier: Apache-2.0
#include "graph/builder.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace weft {

namespace {

DType firstFloating(const std::vector<TensorType>& inputs) {
    const auto found =
        std::ranges::find_if(inputs, [](const TensorType& t) { return isFloating(t.dtype); });
    return found == inputs.end() ? DType::f32 : found->dtype;
}

/// If no two of three sizes have a larger product, the product of all three does not overflow.
constexpr std::int64_t mostElements = std::int64_t{1} << 40U;

bool isHuge(const Shape& shape) {
    std::int64_t elements = 1;
    return std::ranges::any_of(shape, [&](std::int64_t size) {
        return __builtin_mul_overflow(elements, size, &elements) || elements > mostElements;
    });
}

} // namespace

void Builder::refuseIfHuge(std::string_view what, ValueId value) {
    Shape& shape = graph_.at(value).shape;
    if (isHuge(shape)) {
        refusals_.push_back(
            {std::string(what),
             fmt::format("{} has more than {} numbers: choose smaller sizes or a smaller batch",
                         toString(shape), mostElements),
             0,
             {}});
        shape.clear();
        valuesWithoutShape_[value] = true;
    }
}

bool Builder::refuseType(const Op& op, const std::vector<ValueId>& inputs,
                         const Signature& signature) {
    std::vector<DType> types;
    types.reserve(signature.inputs.size());
    std::ranges::transform(signature.inputs, std::back_inserter(types), &TensorType::dtype);
    const std::optional<TypeFault> fault = typeFault(op, types);
    if (!fault) {
        return false;
    }
    refusals_.push_back({op.name,
                         fmt::format("{} expects {}, but the input is {}", op.name,
                                     nameOf(fault->wanted), nameOf(types[fault->input])),
                         fault->input,
                         {},
                         inputs[fault->input],
                         fault->wanted});
    return true;
}

std::vector<ValueId> Builder::addAll(std::string_view opName, std::vector<ValueId> inputs,
                                     Attributes attributes) {
    const Op& op = ops_.at(opName);
    ensure(op.variadic ? inputs.size() >= op.inputs.size() : inputs.size() == op.inputs.size(),
           "an op gets as many operands as it declares");
    Signature signature{
        .attributes = completed(std::move(attributes), op.attributes), .inputs = {}, .outputs = {}};
    bool unchecked = false;
    for (const ValueId id : inputs) {
        ensure(!id.isNone(), "every operand of an op is a value");
        signature.inputs.push_back({dtype(id), shape(id)});
        unchecked = unchecked || hasNoShape(id);
    }
    signature.outputs.assign(op.outputs.size(), TensorType{firstFloating(signature.inputs), {}});
    if (!unchecked) {
        ShapeInference inference(signature);
        op.shape(inference);
        if (inference.isRefused()) {
            refusals_.push_back(
                {op.name, inference.reason(), inference.refusedInput(), inference.layerToInsert()});
            unchecked = true;
        }
        unchecked = unchecked || refuseType(op, inputs, signature);
    }
    const NodeId id{static_cast<std::uint32_t>(graph_.nodes.size())};
    Node node{.op = &op,
              .inputs = std::move(inputs),
              .outputs = {},
              .attributes = std::move(signature.attributes),
              .origin = origin_,
              .pass = pass_,
              .role = role_};
    for (std::uint32_t k = 0; k < signature.outputs.size(); ++k) {
        const ValueId value{static_cast<std::uint32_t>(graph_.values.size())};
        graph_.values.push_back(
            {signature.outputs[k].dtype, signature.outputs[k].shape, id, k, {}});
        if (unchecked) {
            valuesWithoutShape_[value] = true;
        } else {
            refuseIfHuge(op.name, value);
        }
        node.outputs.push_back(value);
    }
    graph_.nodes.push_back(std::move(node));
    return graph_.nodes.back().outputs;
}

ValueId Builder::add(std::string_view op, std::vector<ValueId> inputs, Attributes attributes) {
    return addAll(op, std::move(inputs), std::move(attributes)).front();
}

ValueId Builder::addFeed(std::string name, FeedKind kind, DType dtype, Shape shape) {
    const ValueId value{static_cast<std::uint32_t>(graph_.values.size())};
    graph_.values.push_back({dtype, std::move(shape), {}, 0, name});
    refuseIfHuge(name, value);
    graph_.feeds.push_back({std::move(name), kind, value, origin_});
    return value;
}

ValueId Builder::argument(std::string_view name, DType dtype) {
    const auto found = std::ranges::find(graph_.feeds, name, &Feed::name);
    return found != graph_.feeds.end() ? found->value
                                       : addFeed(std::string(name), FeedKind::argument, dtype, {});
}

SlotId Builder::slotNamed(const std::string& name) {
    const std::hash<std::string> hashOf;
    for (auto k = static_cast<std::uint32_t>(slotsByHash_.size()); k < graph_.slots.size(); ++k) {
        slotsByHash_.emplace(hashOf(graph_.slots[k].name), SlotId{k});
    }
    const auto [first, end] = slotsByHash_.equal_range(hashOf(name));
    const auto found = std::find_if(
        first, end, [&](const auto& slot) { return graph_.at(slot.second).name == name; });
    return found == end ? SlotId{} : found->second;
}

SlotId Builder::addSlot(Slot slot) {
    if (const SlotId known = slotNamed(slot.name); !known.isNone()) {
        return known;
    }
    slot.value = ValueId{static_cast<std::uint32_t>(graph_.values.size())};
    slot.origin = origin_;
    graph_.values.push_back({slot.dtype, slot.shape, {}, 0, slot.name});
    refuseIfHuge(slot.name, slot.value);
    slot.shape = graph_.at(slot.value).shape;
    graph_.slots.push_back(std::move(slot));
    return {static_cast<std::uint32_t>(graph_.slots.size() - 1)};
}

void Builder::write(SlotId slot, ValueId next) {
    ensure(graph_.at(slot).next.isNone(), "a slot is written at most once in a step");
    graph_.at(slot).next = next;
}

void Builder::addResult(std::string name, ResultKind kind, ValueId value) {
    graph_.results.push_back({std::move(name), kind, value, origin_});
}

void Builder::setLetters(ValueId value, std::vector<AssignmentLetter> letters) {
    ensure(!graph_.at(value).producer.isNone(),
           "a value with placement letters is the result of a node");
    graph_.at(graph_.at(value).producer).letters = std::move(letters);
}

std::vector<ShapeRefusal> Builder::takeRefusals() { return std::exchange(refusals_, {}); }

} // namespace weft
