// SPDX-License-Identifier: Apache-2.0
#include "cases_beside.h"

#include "chain_cases.h"

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
    return cases;
}

/// Samples of an op of attention with more queries and keys than a tile has.
std::vector<Sample> longerAttention(const Op& op) {
    std::vector<Sample> samples;
    for (std::size_t k = 0; k < 2; ++k) { // as such, causal
        Sample sample = op.samples[k];
        for (Shape& shape : sample.inputs) {
            shape = {1, 1, shape[2] == op.samples[k].inputs[0][2] ? 37 : 70, shape[3]};
        }
        samples.push_back(std::move(sample));
    }
    return samples;
}

} // namespace

std::map<std::string, std::vector<CaseBeside>> casesBeside() {
    Oracle reference;
    auto cases = chainCases(reference);
    cases["weft.copy_part"] = copiesOfParts(reference);
    cases["weft.reorder"] = reorders(reference);
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
    samples["linear"] = {{.inputs = {{70, 150}, {70, 150}}}};
    samples["bias_gradient"] = {
        {.inputs = {{300, 40}}},
        {.inputs = {{20, 3, 30, 9}}, .attributes = {{"dim", std::int64_t{1}}}}};
    return samples;
}

} // namespace weft::test
