// SPDX-License-Identifier: Apache-2.0
#include "place/rule_book.h"

#include <algorithm>

namespace weft {

bool NodeRule::hasRow(Letter letter) const {
    return std::ranges::find(rows, letter, &PlacementRow::letter) != rows.end();
}

std::int64_t NodeRule::strideOf(const RuleDim& dim, int factor) const {
    std::int64_t product = 1;
    for (std::size_t k = static_cast<std::size_t>(factor) + 1;
         dim.kind == RuleDim::Kind::plain && k < dim.letters.size(); ++k) {
        product *= size(dim.letters[k]);
    }
    return product;
}

namespace {

Signature signatureOf(const Graph& graph, const Node& node) {
    Signature signature{.attributes = node.attributes, .inputs = {}, .outputs = {}};
    for (const ValueId id : node.inputs) {
        signature.inputs.push_back({graph.at(id).dtype, graph.at(id).shape});
    }
    for (const ValueId id : node.outputs) {
        signature.outputs.push_back({graph.at(id).dtype, graph.at(id).shape});
    }
    return signature;
}

std::unique_ptr<NodeRule> makeRule(const Graph& graph, const Node& node, const std::string& text,
                                   const std::map<std::string, std::int64_t>& given) {
    auto made = std::make_unique<NodeRule>();
    std::vector<std::size_t> ranks[2];
    std::vector<const Shape*> shapes[2];
    const std::vector<ValueId>* const sides[2] = {&node.inputs, &node.outputs};
    for (std::size_t side = 0; side < 2; ++side) {
        for (const ValueId id : *sides[side]) {
            shapes[side].push_back(&graph.at(id).shape);
            ranks[side].push_back(shapes[side].back()->size());
        }
    }
    made->op = node.op;
    made->rule = parseRule(text, ranks[0], ranks[1]);
    made->sizes = sizesOf(made->rule, shapes[0], shapes[1], given);
    for (const ValueId id : node.inputs) {
        made->isInteger.push_back(!isFloating(graph.at(id).dtype));
    }
    for (PlacementRow& row :
         deriveRows(made->rule, made->sizes, made->isInteger, UnitLetters::keep)) {
        if (row.movesBorders) {
            made->borderLetters.push_back(row.letter);
        } else {
            made->rows.push_back(std::move(row));
        }
    }
    return made;
}

} // namespace

RuleBook::Entry RuleBook::entryFor(const Graph& graph, const Node& node) {
    const std::uint32_t kind = kinds_.numberOf(graph, node);
    byKind_.resize(std::max<std::size_t>(byKind_.size(), kind + 1), nullptr);
    if (byKind_[kind] == nullptr) {
        byKind_[kind] = &find(graph, node);
    }
    return {byKind_[kind], kind};
}

const NodeRule& RuleBook::find(const Graph& graph, const Node& node) {
    const Op& op = *node.op;
    std::vector<std::uint64_t> key{reinterpret_cast<std::uintptr_t>(&op)};
    std::string text;
    std::map<std::string, std::int64_t> given;
    if (op.placementOf || op.letterSizes) {
        const Signature signature = signatureOf(graph, node);
        if (op.placementOf) {
            text = op.placementOf(signature);
            key.push_back(strings_.try_emplace(text, strings_.size()).first->second);
        }
        if (op.letterSizes) {
            given = op.letterSizes(signature);
            for (const auto& [name, size] : given) {
                key.push_back(static_cast<std::uint64_t>(size));
            }
        }
    }
    for (const auto* side : {&node.inputs, &node.outputs}) {
        for (const ValueId id : *side) {
            const Value& value = graph.at(id);
            key.push_back(~(value.shape.size() * 2 + (isFloating(value.dtype) ? 1 : 0)));
            key.insert(key.end(), value.shape.begin(), value.shape.end());
        }
    }
    auto& known = rules_[std::move(key)];
    if (!known) {
        known = makeRule(graph, node, op.placementOf ? text : op.placement, given);
        known->id = static_cast<std::uint32_t>(rules_.size() - 1);
    }
    return *known;
}

} // namespace weft
