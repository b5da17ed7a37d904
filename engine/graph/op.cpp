// SPDX-License-Identifier: Apache-2.0
#include "graph/op.h"

#include "graph/repeat.h"
#include "graph/set_sharing.h"
#include <weft/error.h>

#include <algorithm>

namespace weft {

bool hasNetworkPerElement(const Node& node) {
    return node.op->isOfDynamics || SetSharing(node.attributes).perElement;
}

Flops flopsOf(const Graph& graph, const Node& node) {
    Flops sum;
    if (node.body) {
        for (const Node& inside : node.body->nodes) {
            sum += flopsOf(*node.body, inside);
        }
        return sum * repeatForm(node).count;
    }
    if (!node.op->cost) {
        return sum;
    }
    Signature signature{.attributes = node.attributes, .inputs = {}, .outputs = {}};
    for (const ValueId id : node.inputs) {
        signature.inputs.push_back({graph.at(id).dtype, graph.at(id).shape});
    }
    for (const ValueId id : node.outputs) {
        signature.outputs.push_back({graph.at(id).dtype, graph.at(id).shape});
    }
    return node.op->cost(signature);
}

std::optional<TypeFault> typeFault(const Op& op, const std::vector<DType>& inputs) {
    std::optional<DType> floating;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        switch (op.inputs[std::min(k, op.inputs.size() - 1)].type) {
        case OperandType::floating:
            if (!isFloating(inputs[k]) || inputs[k] != floating.value_or(inputs[k])) {
                return TypeFault{k, floating.value_or(DType::f32)};
            }
            floating = inputs[k];
            break;
        case OperandType::integer:
            if (isFloating(inputs[k])) {
                return TypeFault{k, DType::i64};
            }
            break;
        case OperandType::number:
            if (!isFloating(inputs[k])) {
                return TypeFault{k, DType::f32};
            }
            break;
        case OperandType::any:
            if (op.variadic && inputs[k] != inputs.front()) {
                return TypeFault{k, inputs.front()};
            }
            break;
        }
    }
    return std::nullopt;
}

void OpList::add(Op op) {
    ensure(!byName_.contains(op.name), "ops have unique names");
    ops_.push_back(std::make_unique<const Op>(std::move(op)));
    byName_.emplace(ops_.back()->name, ops_.back().get());
}

const Op* OpList::find(std::string_view name) const {
    const auto found = byName_.find(name);
    return found == byName_.end() ? nullptr : found->second;
}

const Op& OpList::at(std::string_view name) const {
    const Op* op = find(name);
    if (op == nullptr) {
        throw Error(ErrorCode::bug, Where{.op = std::string(name)}, "there is no op with this name",
                    "add the op to engine/ops, or correct the name");
    }
    return *op;
}

std::vector<const Op*> OpList::all() const {
    std::vector<const Op*> list;
    list.reserve(ops_.size());
    for (const auto& op : ops_) {
        list.push_back(op.get());
    }
    return list;
}

} // namespace weft
