// SPDX-License-Identifier: Apache-2.0
#include "cases_beside.h"

#include "chain_cases.h"
#include "group_cases.h"
#include "rounded_cases.h"

#include <limits>

namespace weft::test {

namespace {

CaseBeside copyCase(Oracle& reference, const std::string& op, const std::string& name,
                    const Attributes& attributes, const std::vector<TensorPart>& inputs,
                    const TensorPart& output) {
    KernelCase held{.local = {name, inputs, {output}, {}}, .attributes = attributes, .results = {}};
    for (const TensorPart& input : inputs) {
        held.local.numbers.push_back(drawIntegers(input.dtype, input.shape, 100, 1, name));
    }
    held.results = reference.run(op, attributes, held.local.numbers, inputs, {output});
    return {std::move(held)};
}

std::vector<CaseBeside> copiesOfParts(Oracle& reference) {
    std::vector<CaseBeside> cases;
    const Shape whole{3, 14, 5};
    const double infinite = std::numeric_limits<double>::infinity();
    for (const DType dtype : {DType::u8, DType::f32, DType::i64}) {
        const TensorPart from{dtype, {3, 9, 5}, {0, 0, 0}, whole, {}};
        for (const std::int64_t begin : {0, 2, 6, 9}) {
            const TensorPart to{dtype, {2, 5, 4}, {1, begin, 1}, whole, {}};
            const double fill = begin == 6 ? infinite : 3;
            const std::string name =
                std::to_string(byteSize(dtype)) + " bytes from " + std::to_string(begin) + " on";
            cases.push_back(
                copyCase(reference, "weft.copy_part", name, {{"fill", fill}}, {from}, to));
        }
    }
    const TensorPart alone = wholePart(DType::f32, {7});
    cases.push_back(
        copyCase(reference, "weft.copy_part", "filled", {{"fill", -infinite}}, {}, alone));
    return cases;
}

/// f32 in one format and bf16 in the other, to the last bit.
CaseBeside roundingCase(const Shape& shape, const Format& from, const Format& to) {
    const Tensor drawn = drawNormal(DType::f32, shape, 1, from.tag);
    const Format& inBf16 = from.isHalved() ? from : to;
    const Tensor rounded = fromFormat(toFormat(drawn, inBf16), DType::f32, shape, inBf16);
    TensorPart x = wholePart(DType::f32, shape);
    TensorPart y = x;
    x.format = from;
    y.format = to;
    return {
        .held = {
            .local = {from.tag + " to " + to.tag, {x}, {y}, {from.isHalved() ? rounded : drawn}},
            .attributes = {},
            .results = {rounded}}};
}

std::vector<CaseBeside> reorders(Oracle& reference) {
    std::vector<CaseBeside> cases;
    for (const Shape& shape : {Shape{2, 40, 9, 5}, Shape{3, 2, 1, 4}}) {
        for (const auto& [from, to] : {std::pair{"", "acdb"}, {"acdb", ""}, {"dbac", "cabd"}}) {
            TensorPart x = wholePart(DType::f32, shape);
            TensorPart y = x;
            x.format = {from};
            y.format = {to};
            cases.push_back(
                copyCase(reference, "weft.reorder", std::string(from) + " to " + to, {}, {x}, y));
        }
    }
    for (const Shape& shape :
         {Shape{2, 40, 9, 5}, Shape{2, 1, 9, 5}, Shape{2, 3, 9, 5}, Shape{7, 41}, Shape{3, 40}}) {
        const Format kept = halved(Format{shape.size() == 4 ? "acdb" : ""}, shape.size());
        for (const Format& wide : {Format{}, widened(kept)}) {
            cases.push_back(roundingCase(shape, wide, kept));
            cases.push_back(roundingCase(shape, kept, wide));
        }
        if (shape.size() == 4) {
            cases.push_back(roundingCase(shape, halved(Format{}, shape.size()), kept));
        }
    }
    return cases;
}

/// More of an op than one launch takes, of different sizes, as one call: operands of all members
/// one behind the other, but for the rate and the step, which they share.
CaseBeside rowOf(Oracle& reference, const OpList& ops, const std::string& op,
                 const Attributes& attributes, std::size_t own) {
    const Attributes completedOnes = completed(attributes, ops.at(op).attributes);
    const std::size_t results = ops.at(op).outputs.size();
    const std::size_t shared = ops.at(op).inputs.size() - own;
    auto body = std::make_shared<GroupBody>();
    KernelCase held{.local = {"a row", {}, {}, {}}, .attributes = completedOnes, .results = {}};
    std::vector<Tensor> numbers;
    for (std::size_t k = 0; k < shared; ++k) {
        numbers.push_back(k == 0 ? drawUniform(DType::f32, {}, 0.01, 0.1, 1, "rate")
                                 : drawIntegers(DType::i64, {}, 9, 4, "step"));
        held.local.inputs.push_back(wholePart(numbers[k].dtype, {}));
        held.local.numbers.push_back(numbers[k]);
    }
    for (int member = 0; member < 37; ++member) {
        const Shape shape{member == 5                      ? 2500
                          : member == 6 && op == "squares" ? 40000
                                                           : 1 + member * 7 % 50};
        KernelRequest request{.op = op, .attributes = completedOnes};
        std::vector<int> reads;
        std::vector<Tensor> operands;
        for (std::size_t k = 0; k < own; ++k) {
            const std::string role = op + std::to_string(member) + std::to_string(k);
            operands.push_back(drawUniform(DType::f32, shape, 0.1, 2, 1, role));
            reads.push_back(static_cast<int>(held.local.inputs.size()));
            held.local.inputs.push_back(wholePart(DType::f32, shape));
            held.local.numbers.push_back(operands.back());
        }
        for (std::size_t k = 0; k < shared; ++k) {
            operands.push_back(numbers[k]);
            reads.push_back(static_cast<int>(k));
        }
        std::vector<TensorPart> parts;
        for (Tensor& operand : operands) {
            request.inputs.push_back(wholePart(operand.dtype, operand.shape));
            operand = isFloating(operand.dtype) ? operand.as(DType::f64) : operand;
            parts.push_back(wholePart(operand.dtype, operand.shape));
        }
        const Shape shapeMade = op == "squares" ? Shape{} : shape;
        const std::vector<TensorPart> made(results, wholePart(DType::f64, shapeMade));
        for (Tensor& result : reference.run(op, completedOnes, operands, parts, made)) {
            held.results.push_back(std::move(result));
        }
        std::vector<int> writes;
        for (std::size_t k = 0; k < results; ++k) {
            writes.push_back(static_cast<int>(held.local.outputs.size()));
            held.local.outputs.push_back(wholePart(DType::f32, shapeMade));
        }
        request.outputs.assign(results, wholePart(DType::f32, shapeMade));
        body->members.push_back(std::move(request));
        body->reads.push_back(std::move(reads));
        body->writes.push_back(std::move(writes));
    }
    return {std::move(held), body};
}

/// The causal sample of an op of attention with some more queries and keys than a tile has, and
/// with so many features that tiles are smaller; and samples of more than a block's rows, where
/// warps make them.
std::vector<Sample> longerAttention(const Op& op) {
    Sample longer = op.samples[1];
    Sample wider = longer;
    for (std::size_t k = 0; k < longer.inputs.size(); ++k) {
        const std::int64_t features = longer.inputs[k][3];
        longer.inputs[k] = {1, 1, 35, features};
        wider.inputs[k] = {1, 1, 18, 20 * features};
    }
    Sample most = longer;
    Sample all = op.samples[0];
    for (std::size_t k = 0; k < longer.inputs.size(); ++k) {
        most.inputs[k] = {1, 1, 130, 10 * op.samples[1].inputs[k][3]};
        Shape& shape = all.inputs[k];
        shape = {1, 1, shape[2] == 5 ? 139 : 81, shape[3]};
    }
    return {longer, wider, most, all};
}

} // namespace

std::map<std::string, std::vector<CaseBeside>> casesBeside() {
    Oracle reference;
    const OpList ops = allOps();
    std::map<std::string, std::vector<CaseBeside>> cases = {
        {"weft.copy_part", copiesOfParts(reference)},
        {"weft.reorder", reorders(reference)},
        {"sgd*", {rowOf(reference, ops, "sgd", {}, 2)}},
        {"sgd_momentum*", {rowOf(reference, ops, "sgd_momentum", {{"momentum", 0.9}}, 3)}},
        {"squares*", {rowOf(reference, ops, "squares", {}, 1)}},
        {"adam*", {rowOf(reference, ops, "adam", {}, 4)}},
        {"rmsprop*", {rowOf(reference, ops, "rmsprop", {}, 3)}},
        {"rmsprop_momentum*", {rowOf(reference, ops, "rmsprop_momentum", {}, 4)}},
        {"running_statistics*",
         {rowOf(reference, ops, "running_statistics", {{"momentum", 0.25}, {"scale", 1.5}}, 2)}}};
    cases.merge(chainCases(reference));
    cases.merge(equalCases(reference));
    cases.merge(freeChainCases(reference));
    cases.merge(groupCases(reference));
    cases.merge(roundedCases(reference));
    return cases;
}

std::map<std::string, std::vector<Sample>> largerSamples() {
    std::map<std::string, std::vector<Sample>> samples;
    for (const char* op : {"reduce_sum", "reduce_max", "softmax", "argmax", "sum_all", "squares"}) {
        samples[op] = {{.inputs = {{3, 601}}}};
    }
    samples["half_squares"] = {{.inputs = {{2, 3, 5, 40}}}};
    samples["sum_decibels"] = {{.inputs = {{300}, {300}}, .positive = true}};
    samples["softmax_gradient"] = {{.inputs = {{3, 601}, {3, 601}}}};
    samples["softmax_cross_entropy"] = {{.inputs = {{3, 601}, {3}}, .integersBelow = 601}};
    samples["accuracy"] = samples["softmax_cross_entropy"];
    samples["accuracy"].push_back({.inputs = {{500, 3}, {500}}, .integersBelow = 3});
    samples["sum_all"].push_back({.inputs = {{9000}}});
    samples["layer_norm"] = {{.inputs = {{3, 601}, {601}, {601}}}};
    samples["layer_norm_dx"] = {{.inputs = {{3, 601}, {3}, {3}, {601}, {3, 601}}}};
    samples["layer_norm_dgamma"] = {{.inputs = {{300, 40}, {300}, {300}, {300, 40}}}};
    const OpList ops = allOps();
    for (const char* op : {"attention", "attention_dq", "attention_dk", "attention_dv"}) {
        samples[op] = longerAttention(ops.at(op));
    }
    // Wide tiles, the last of which are not full; with and without split sums.
    samples["linear"] = {{.inputs = {{70, 150}, {70, 150}}}, {.inputs = {{131, 37}, {65, 37}}}};
    samples["linear_dx"] = {{.inputs = {{70, 19}, {19, 70}}}, {.inputs = {{66, 150}, {150, 67}}}};
    samples["linear_dw"] = {{.inputs = {{19, 70}, {19, 66}}}, {.inputs = {{150, 67}, {150, 131}}}};
    samples["conv2d"] = {{.inputs = {{1, 9, 9, 8}, {70, 9, 3, 3}}}};
    samples["conv2d_dx"] = {
        {.inputs = {{1, 9, 9, 8}, {9, 66, 3, 3}},
         .attributes = {{"padding", Shape{1, 1, 1, 1}}, {"size", Shape{9, 8}}}}};
    samples["conv2d_dw"] = {
        {.inputs = {{1, 9, 9, 8}, {1, 70, 9, 8}},
         .attributes = {{"padding", Shape{1, 1, 1, 1}}, {"kernel", Shape{3, 3}}}}};
    using List = std::vector<std::int64_t>;
    samples["concat"] = {{.inputs = {{3, 300}, {3, 77}}, .attributes = {{"dim", std::int64_t{1}}}}};
    samples["max_pool2d"] = {
        {.inputs = {{2, 8, 7, 6}},
         .attributes = {{"kernel", List{3, 2}},
                        {"stride", List{2, 1}},
                        {"padding", List{1, 0, 1, 0}}}},
        {.inputs = {{1, 4, 20, 17}}, .attributes = {{"kernel", List{17, 16}}}}};
    samples["batch_norm"] = {{.inputs = {{330, 128}, {128}, {128}}},
                             {.inputs = {{7, 2, 64, 72}, {2}, {2}}},
                             {.inputs = {{40, 16, 4, 8}, {16}, {16}}}};
    samples["batch_norm_dgamma"] = ops.at("batch_norm_dgamma").samples;
    for (Sample& sample : samples["batch_norm_dgamma"]) {
        sample.inputs = {{30, 16, 8, 8}, {16}, {16}, {30, 16, 8, 8}};
    }
    samples["batch_norm_dgamma"].resize(1);
    samples["channel_variance"] = {{.inputs = {{40, 16, 4, 8}, {16}}}};
    samples["bias_gradient"] = {
        {.inputs = {{300, 40}}},
        {.inputs = {{20, 3, 30, 9}}, .attributes = {{"dim", std::int64_t{1}}}}};
    return samples;
}

} // namespace weft::test
