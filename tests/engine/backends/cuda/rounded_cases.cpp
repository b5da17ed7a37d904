// SPDX-License-Identifier: Apache-2.0
#include "rounded_cases.h"

#include "device/settled_formats.h"

namespace weft::test {

namespace {

using List = std::vector<std::int64_t>;

/// From -1 to 1.
Tensor drawSmall(const Shape& shape, const std::string& role) {
    Tensor numbers = drawIntegers(DType::f32, shape, 3, 1, role);
    for (std::int64_t k = 0; k < numbers.elements(); ++k) {
        numbers.set(k, numbers.at(k) - 1);
    }
    return numbers;
}

/// Each choice of maps and filters channels-last, but for none of them.
std::vector<std::vector<Format>> someLast(const std::vector<TensorPart>& operands) {
    std::vector<std::vector<Format>> offered;
    for (unsigned which = 1; which < 1U << operands.size(); ++which) {
        std::vector<Format> formats(operands.size());
        bool areMaps = true;
        for (std::size_t k = 0; k < operands.size(); ++k) {
            if ((which >> k & 1U) != 0) {
                formats[k] = channelsLast();
                areMaps = areMaps && operands[k].shape.size() == 4;
            }
        }
        if (areMaps) {
            offered.push_back(std::move(formats));
        }
    }
    return offered;
}

/// All of them kept as bf16, for those who take them.
std::vector<Format> asBf16(const std::vector<TensorPart>& operands) {
    std::vector<Format> formats;
    for (const TensorPart& part : operands) {
        const std::size_t rank = part.shape.size();
        formats.push_back(halved(rank == 4 ? channelsLast() : Format{}, rank));
    }
    return formats;
}

CaseBeside caseOf(Oracle& reference, const std::string& op, const Attributes& attributes,
                  const std::vector<Shape>& operands, const Shape& result) {
    KernelCase held{.local = {op, {}, {wholePart(DType::f32, result)}, {}},
                    .attributes = attributes,
                    .results = {}};
    for (const Shape& shape : operands) {
        held.local.inputs.push_back(wholePart(DType::f32, shape));
        held.local.numbers.push_back(drawSmall(shape, std::to_string(held.local.inputs.size())));
    }
    held.results =
        reference.run(op, attributes, held.local.numbers, held.local.inputs, held.local.outputs);
    CaseBeside one{std::move(held)};
    one.offered = someLast(one.held.local.inputs);
    return one;
}

/// The same, of which the result is kept channels-last elsewhere.
CaseBeside keptLast(CaseBeside one) {
    one.held.local.outputs[0].format = channelsLast();
    return one;
}

/// max(0, . + bias + addend) behind the first, which bf16 holds exactly too; each but the last or
/// none.
CaseBeside endedCase(Oracle& reference, const std::string& op, const Attributes& attributes,
                     const Shape& x, const Shape& w, const Shape& y, bool hasBias, bool hasAddend) {
    CaseBeside ended = caseOf(reference, op, attributes, {x, w}, y);
    KernelCase& held = ended.held;
    const TensorPart part = wholePart(DType::f32, y);
    GroupBody body;
    body.members = {requestOf(op, attributes, held.local.inputs, {part})};
    body.reads = {{0, 1}};
    const auto follow = [&](const std::string& next, const Attributes& with,
                            const std::optional<Shape>& other) {
        std::vector<TensorPart> parts{part};
        std::vector<Tensor> numbers{held.results[0]};
        body.reads.push_back({-static_cast<int>(body.members.size())});
        if (other) {
            parts.push_back(wholePart(DType::f32, *other));
            numbers.push_back(drawSmall(*other, "behind " + next));
            body.reads.back().push_back(static_cast<int>(held.local.inputs.size()));
            held.local.inputs.push_back(parts.back());
            held.local.numbers.push_back(numbers.back());
        }
        body.members.push_back(requestOf(next, with, parts, {part}));
        held.results = reference.run(next, with, numbers, parts, {part});
    };
    if (hasBias) {
        follow("bias_add", {{"dim", std::int64_t{1}}}, Shape{w[0]});
    }
    if (hasAddend) {
        follow("add", {}, y);
    }
    follow("relu", {}, std::nullopt);
    body.writes.assign(body.members.size(), {-1});
    body.writes.back() = {0};
    ended.offered = someLast(held.local.inputs);
    ended.offered.push_back(asBf16(held.local.inputs));
    ended.body = std::make_shared<const GroupBody>(std::move(body));
    return ended;
}

/// A convolution of which all passes are compared.
struct Form {
    Attributes attributes;
    Shape x, w, y;
};

Attributes windows(const List& stride, const List& padding, const List& dilation,
                   std::int64_t groups) {
    return {{"stride", stride}, {"padding", padding}, {"dilation", dilation}, {"groups", groups}};
}

const Form& dilated() { // the library's stand-in has no plan for these
    static const Form form{
        windows({1, 1}, {2, 3, 2, 3}, {2, 3}, 1), {1, 3, 9, 8}, {5, 3, 3, 3}, {1, 5, 9, 8}};
    return form;
}
const Form& grouped() {
    static const Form form{
        windows({2, 1}, {1, 2, 0, 1}, {1, 1}, 2), {2, 6, 9, 7}, {4, 3, 3, 2}, {2, 4, 4, 9}};
    return form;
}
const Form& groupedAndDilated() {
    static const Form form{
        windows({2, 1}, {1, 2, 0, 1}, {1, 2}, 2), {2, 6, 9, 7}, {4, 3, 3, 2}, {2, 4, 4, 8}};
    return form;
}

std::vector<Form> forms() {
    return {{windows({1, 1}, {1, 1, 1, 1}, {1, 1}, 1), {2, 35, 9, 5}, {4, 35, 3, 3}, {2, 4, 9, 5}},
            {windows({1, 1}, {1, 1, 1, 1}, {1, 1}, 1), {1, 1, 9, 5}, {3, 1, 3, 3}, {1, 3, 9, 5}},
            {windows({1, 1}, {0, 0, 0, 0}, {1, 1}, 1), {2, 5, 3, 4}, {6, 5, 1, 1}, {2, 6, 3, 4}},
            grouped(),
            dilated(),
            groupedAndDilated()};
}

std::map<std::string, std::vector<CaseBeside>> casesOfConvolutions(Oracle& reference) {
    std::map<std::string, std::vector<CaseBeside>> cases;
    for (const auto& [attributes, x, w, y] : forms()) {
        Attributes sized = attributes;
        sized.set("size", List{x[2], x[3]});
        Attributes kernel = attributes;
        kernel.set("kernel", List{w[2], w[3]});
        cases["conv2d"].push_back(caseOf(reference, "conv2d", attributes, {x, w}, y));
        cases["conv2d_dx"].push_back(caseOf(reference, "conv2d_dx", sized, {y, w}, x));
        const CaseBeside dw = caseOf(reference, "conv2d_dw", kernel, {x, y}, w);
        cases["conv2d_dw"].push_back(dw);
        cases["conv2d_dw"].push_back(keptLast(dw));
    }
    for (const auto& [attributes, x, w, y] : {grouped(), groupedAndDilated()}) {
        for (const auto& [hasBias, hasAddend] :
             {std::pair{true, false}, {false, true}, {true, true}}) {
            const std::string op = std::string("conv2d") + (hasBias ? "+bias_add" : "") +
                                   (hasAddend ? "+add" : "") + "+relu";
            cases[op].push_back(
                endedCase(reference, "conv2d", attributes, x, w, y, hasBias, hasAddend));
        }
    }
    return cases;
}

} // namespace

std::string rounded(const std::string& op, Precision precision) {
    return op + " in " + std::string(nameOf(precision));
}

std::map<std::string, std::vector<CaseBeside>> roundedCases(Oracle& reference) {
    auto ofOps = casesOfConvolutions(reference);
    ofOps["linear"] = {caseOf(reference, "linear", {}, {{12, 40}, {24, 40}}, {12, 24})};
    ofOps["linear+bias_add+relu"] = {
        endedCase(reference, "linear", {}, {12, 40}, {24, 40}, {12, 24}, true, false)};
    ofOps["linear+add+relu"] = {
        endedCase(reference, "linear", {}, {12, 40}, {24, 40}, {12, 24}, false, true)};
    ofOps["linear+bias_add+add+relu"] = {
        endedCase(reference, "linear", {}, {6, 7}, {20, 7}, {6, 20}, true, true)};
    ofOps["linear_dx"] = {caseOf(reference, "linear_dx", {}, {{12, 24}, {24, 40}}, {12, 40})};
    ofOps["linear_dw"] = {caseOf(reference, "linear_dw", {}, {{12, 24}, {12, 40}}, {24, 40})};
    std::map<std::string, std::vector<CaseBeside>> cases;
    for (const Precision precision : {Precision::tf32, Precision::bf16}) {
        for (const auto& [op, ofOp] : ofOps) {
            cases[rounded(op, precision)] = ofOp;
        }
    }
    return cases;
}

} // namespace weft::test
