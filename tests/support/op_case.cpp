// SPDX-License-Identifier: Apache-2.0
#include "support/op_case.h"

#include "graph/builder.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>

namespace weft::test {

namespace {

/// The type of drawn operand k.
DType typeOf(const Op& op, const Sample& sample, std::size_t k, DType floating) {
    if (sample.operands) {
        return k < sample.dtypes.size() && !isFloating(sample.dtypes[k]) ? sample.dtypes[k]
                                                                         : floating;
    }
    const auto isInteger = [&](std::size_t input) {
        return op.inputs[std::min(input, op.inputs.size() - 1)].type == OperandType::integer;
    };
    if (!isInteger(k)) {
        return floating;
    }
    std::size_t before = 0;
    for (std::size_t input = 0; input < k; ++input) {
        before += isInteger(input) ? 1 : 0;
    }
    return before < sample.dtypes.size() ? sample.dtypes[before] : DType::i64;
}

Tensor drawOperand(const Sample& sample, const Shape& shape, DType dtype, std::uint64_t seed,
                   const std::string& role) {
    if (!isFloating(dtype)) {
        return drawIntegers(dtype, shape, sample.integersBelow, seed, role);
    }
    return sample.positive ? drawUniform(dtype, shape, 0.1, 2, seed, role)
                           : drawNormal(dtype, shape, seed, role);
}

/// Applies other ops to random operands.
std::vector<Tensor> madeOperands(const OpList& ops, const Sample& sample,
                                 const std::vector<Tensor>& drawn, Oracle& oracle, DType floating) {
    Graph graph;
    Builder builder(graph, ops);
    std::vector<ValueId> feeds;
    std::map<ValueId, Tensor> given;
    for (std::size_t k = 0; k < drawn.size(); ++k) {
        feeds.push_back(builder.addFeed(fmt::format("drawn{}", k), FeedKind::data, drawn[k].dtype,
                                        drawn[k].shape));
        given[feeds.back()] = drawn[k];
    }
    const auto operands = sample.operands(builder, feeds);
    ensure(builder.takeRefusals().empty(), "a sample makes its operands of what fits");
    const auto values = evaluate(graph, oracle, given, {.precision = floating});
    std::vector<Tensor> made;
    made.reserve(operands.size());
    for (const ValueId operand : operands) {
        made.push_back(values.at(operand));
    }
    return made;
}

} // namespace

OpCase makeCase(const OpList& ops, const Op& op, std::size_t number, Oracle& oracle, DType floating,
                std::uint64_t seed) {
    const Sample& sample = op.samples[number];
    OpCase made{.op = &op, .name = fmt::format("{} {}", op.name, number)};
    made.attributes = completed(sample.attributes, op.attributes);
    for (std::size_t k = 0; k < sample.inputs.size(); ++k) {
        made.inputs.push_back(drawOperand(sample, sample.inputs[k], typeOf(op, sample, k, floating),
                                          seed, fmt::format("{} {}", made.name, k)));
    }
    if (sample.operands) {
        made.inputs = madeOperands(ops, sample, made.inputs, oracle, floating);
    }
    made.signature.attributes = made.attributes;
    for (const Tensor& input : made.inputs) {
        made.signature.inputs.push_back({input.dtype, input.shape});
    }
    const auto firstFloating = std::ranges::find_if(
        made.signature.inputs, [](const TensorType& type) { return isFloating(type.dtype); });
    made.signature.outputs.assign(
        op.outputs.size(),
        {firstFloating == made.signature.inputs.end() ? DType::f32 : firstFloating->dtype, {}});
    ShapeInference inference(made.signature);
    op.shape(inference);
    if (inference.isRefused()) {
        throw Error(ErrorCode::bug, Where{.op = op.name},
                    fmt::format("sample {} is refused: {}", number, inference.reason()),
                    "mend the sample");
    }
    made.outputs = made.signature.outputs;
    return made;
}

CaseLetters lettersOf(const OpCase& one) {
    std::vector<std::size_t> ranks[2];
    std::vector<const Shape*> shapes[2];
    const std::vector<TensorType>* types[2] = {&one.signature.inputs, &one.signature.outputs};
    for (const std::size_t side : {0U, 1U}) {
        for (const TensorType& type : *types[side]) {
            ranks[side].push_back(type.shape.size());
            shapes[side].push_back(&type.shape);
        }
    }
    CaseLetters letters;
    letters.rule = parseRule(one.op->placementFor(one.signature), ranks[0], ranks[1]);
    letters.sizes = sizesOf(letters.rule, shapes[0], shapes[1],
                            one.op->letterSizes ? one.op->letterSizes(one.signature)
                                                : std::map<std::string, std::int64_t>{});
    return letters;
}

std::vector<std::string> wholeLetters(const OpCase& one) {
    const CaseLetters letters = lettersOf(one);
    std::vector<std::string> names;
    for (std::size_t k = 0; k < letters.rule.letters.size(); ++k) {
        const RuleLetter& letter = letters.rule.letters[k];
        if (letter.isWhole && !letter.isTap && letters.sizes[k] > 1) {
            names.push_back(letter.name);
        }
    }
    return names;
}

std::int64_t productOfLetters(const OpCase& one) {
    std::int64_t product = 1;
    for (const std::int64_t size : lettersOf(one).sizes) {
        product *= std::max<std::int64_t>(1, size);
    }
    return product;
}

std::int64_t contractionLength(const OpCase& one) {
    const CaseLetters letters = lettersOf(one);
    std::int64_t length = 1;
    for (std::size_t k = 0; k < letters.rule.letters.size(); ++k) {
        const bool inResult =
            std::ranges::any_of(letters.rule.results, [&](const RuleResult& result) {
                return result.value.find(static_cast<Letter>(k)).dim >= 0;
            });
        const RuleLetter& letter = letters.rule.letters[k];
        if (!inResult || letter.isWhole || letter.isTap) {
            length *= std::max<std::int64_t>(1, letters.sizes[k]);
        }
    }
    return length;
}

} // namespace weft::test
