// SPDX-License-Identifier: Apache-2.0
#include "chain_cases.h"

#include "device/settled_formats.h"

#include <algorithm>

namespace weft::test {

namespace {

struct First {
    std::string op;
    Attributes attributes;
    Shape x, w, y;
    std::int64_t biasDim = 1;
    std::int64_t terms = 1;
};

TensorPart inDouble(TensorPart part) {
    part.dtype = DType::f64;
    return part;
}

/// A chain that grows link by link; what it makes is known in double.
class Chain {
public:
    /// `draw`: whose operands are drawn.
    Chain(Oracle& reference, const First& first, std::string draw = {})
        : reference_(reference), first_(first), draw_(std::move(draw)) {
        held_.local = {first.op, {}, {wholePart(DType::f32, first.y)}, {}};
        held_.length = first.terms;
        held_.attributes = first.attributes;
        add(first.op, first.attributes, {take(first.x), take(first.w)});
    }
    void follow(const std::string& op) {
        const int before = -static_cast<int>(body_.members.size());
        if (op == "bias_add") {
            const auto dim = static_cast<std::size_t>(first_.biasDim);
            add(op, {{"dim", first_.biasDim}}, {before, take({first_.y[dim]})});
        } else if (op == "add") { // in the order in which the sum does not stand first
            add(op, {}, {take(first_.y), before});
        } else {
            add(op, {}, {before});
        }
    }
    [[nodiscard]] CaseBeside made() {
        held_.results = {last_};
        for (std::size_t m = 0; m < body_.members.size(); ++m) {
            body_.writes.push_back({m + 1 == body_.members.size() ? 0 : -1});
        }
        return {std::move(held_), std::make_shared<const GroupBody>(std::move(body_))};
    }

private:
    int take(const Shape& shape) {
        const std::string role = draw_ + std::to_string(held_.local.inputs.size());
        held_.local.inputs.push_back(wholePart(DType::f32, shape));
        held_.local.numbers.push_back(drawNormal(DType::f32, shape, 1, role));
        return static_cast<int>(held_.local.inputs.size()) - 1;
    }
    void add(const std::string& op, const Attributes& attributes, const std::vector<int>& reads) {
        std::vector<TensorPart> parts;
        std::vector<TensorPart> wide;
        std::vector<Tensor> numbers;
        for (const int read : reads) {
            const auto k = static_cast<std::size_t>(std::max(read, 0));
            parts.push_back(read < 0 ? held_.local.outputs[0] : held_.local.inputs[k]);
            wide.push_back(inDouble(parts.back()));
            numbers.push_back(read < 0 ? last_ : held_.local.numbers[k].as(DType::f64));
        }
        body_.members.push_back(requestOf(op, attributes, parts, held_.local.outputs));
        body_.reads.push_back(reads);
        last_ =
            reference_.run(op, attributes, numbers, wide, {inDouble(held_.local.outputs[0])})[0];
    }

    Oracle& reference_;
    First first_;
    std::string draw_;
    KernelCase held_;
    GroupBody body_;
    Tensor last_;
};

std::vector<First> firsts() {
    using List = std::vector<std::int64_t>;
    const Attributes grouped{{"stride", List{1, 1}},
                             {"padding", List{1, 1, 1, 1}},
                             {"dilation", List{1, 1}},
                             {"groups", std::int64_t{3}}};
    return {{"linear", {}, {5, 7}, {3, 7}, {5, 3}, 1, 7},
            {"linear", {}, {3, 300}, {20, 300}, {3, 20}, 1, 300}, // with split sums
            {"linear", {}, {2, 9, 6}, {18, 6}, {2, 9, 18}, 2, 6},
            {"conv2d", grouped, {2, 6, 5, 5}, {9, 2, 3, 3}, {2, 9, 5, 5}, 1, 18}};
}

Chain chainOf(Oracle& reference, const First& first, unsigned links, std::string& name,
              const std::string& draw = {}) {
    Chain chain(reference, first, draw);
    name = first.op;
    for (const auto& [link, op] : {std::pair{1U, "bias_add"}, {2U, "add"}, {4U, "relu"}}) {
        if ((links & link) != 0) {
            chain.follow(op);
            name += std::string("+") + op;
        }
    }
    return chain;
}

/// Products that tiles of both sizes make, and of which sums are cut.
std::vector<First> equals() {
    return {{"linear", {}, {5, 7}, {3, 7}, {5, 3}, 1, 7},
            {"linear", {}, {3, 300}, {20, 300}, {3, 20}, 1, 300},
            {"linear", {}, {2, 9, 6}, {18, 6}, {2, 9, 18}, 2, 6},
            {"linear_dx", {}, {5, 3}, {3, 7}, {5, 7}, 1, 3},
            {"linear_dx", {}, {3, 300}, {300, 20}, {3, 20}, 1, 300},
            {"linear_dx", {}, {20, 4}, {4, 18}, {20, 18}, 1, 4},
            {"linear_dw", {}, {5, 3}, {5, 7}, {3, 7}, 1, 5},
            {"linear_dw", {}, {300, 3}, {300, 20}, {3, 20}, 1, 300},
            {"linear_dw", {}, {9, 18}, {9, 20}, {18, 20}, 1, 9},
            {"linear", {}, {66, 20}, {67, 20}, {66, 67}, 1, 20},
            {"linear_dx", {}, {66, 20}, {20, 67}, {66, 67}, 1, 20},
            {"linear_dw", {}, {20, 66}, {20, 67}, {66, 67}, 1, 20}};
}

/// As many as are equal, in one call: operands of all one behind the other.
CaseBeside joined(Oracle& reference, const First& first, unsigned links, int count,
                  std::string& name) {
    auto body = std::make_shared<GroupBody>();
    KernelCase held{.local = {std::to_string(count) + " equals", {}, {}, {}},
                    .attributes = first.attributes,
                    .results = {},
                    .length = first.terms};
    for (int member = 0; member < count; ++member) {
        const CaseBeside one =
            chainOf(reference, first, links, name, std::to_string(member) + " of equals ").made();
        const LocalCase& local = one.held.local;
        KernelRequest request = requestOf(name, first.attributes, local.inputs, local.outputs);
        request.body = links == 0 ? nullptr : one.body;
        body->members.push_back(std::move(request));
        std::vector<int>& reads = body->reads.emplace_back();
        for (std::size_t k = 0; k < local.inputs.size(); ++k) {
            reads.push_back(static_cast<int>(held.local.inputs.size()));
            held.local.inputs.push_back(local.inputs[k]);
            held.local.numbers.push_back(local.numbers[k]);
        }
        body->writes.push_back({member});
        held.local.outputs.push_back(local.outputs[0]);
        held.results.push_back(one.held.results[0]);
    }
    name += '=';
    return {std::move(held), body};
}

/// A link of a free chain.
struct FreeLink {
    std::string op;
    std::size_t operands = 1;
    std::size_t at = 0;  ///< which of them is what the one before made
    bool isRead = false; ///< by others too
    Attributes attributes = {};
};

/// With numbers that are exact in half precision, if `ofBf16`.
CaseBeside freeChain(Oracle& reference, const Shape& shape, const std::vector<FreeLink>& links,
                     bool ofBf16, std::string& name) {
    const Format order = shape.size() == 4 ? channelsLast() : Format{};
    const Format offered = ofBf16 ? halved(order, shape.size()) : order;
    const TensorPart part = wholePart(DType::f32, shape);
    KernelCase held{.local = {"", {}, {}, {}}, .results = {}, .length = 4};
    auto body = std::make_shared<GroupBody>();
    Tensor last;
    name.clear();
    for (std::size_t m = 0; m < links.size(); ++m) {
        const FreeLink& link = links[m];
        std::vector<Tensor> numbers;
        std::vector<int>& reads = body->reads.emplace_back();
        for (std::size_t k = 0; k < link.operands; ++k) {
            if (m > 0 && k == link.at) {
                reads.push_back(-static_cast<int>(m));
                numbers.push_back(last);
                continue;
            }
            reads.push_back(static_cast<int>(held.local.inputs.size()));
            held.local.inputs.push_back(part);
            const Tensor drawn =
                drawNormal(DType::f32, shape, 1, "free " + std::to_string(reads.back()));
            held.local.numbers.push_back(
                fromFormat(toFormat(drawn, offered), DType::f32, shape, offered));
            numbers.push_back(held.local.numbers.back().as(DType::f64));
        }
        body->members.push_back(
            requestOf(link.op, link.attributes, std::vector(link.operands, part), {part}));
        last = reference.run(link.op, link.attributes, numbers,
                             std::vector(link.operands, inDouble(part)), {inDouble(part)})[0];
        const bool isResult = link.isRead || m + 1 == links.size();
        body->writes.push_back({isResult ? static_cast<int>(held.results.size()) : -1});
        if (isResult) {
            held.local.outputs.push_back(part);
            held.results.push_back(last);
        }
        name += (m == 0 ? "" : "+") + link.op;
    }
    held.local.name = name;
    CaseBeside made{std::move(held), body, ofBf16 ? Precision::bf16 : Precision::exact};
    if (!offered.isPlain()) {
        made.offered = {std::vector(made.held.local.inputs.size(), offered)};
    }
    return made;
}

} // namespace

std::map<std::string, std::vector<CaseBeside>> freeChainCases(Oracle& reference) {
    const std::vector<std::vector<FreeLink>> chains{
        {{"add", 2}, {"relu", 1, 0, true}, {"scale", 1, 0, false, {{"factor", 0.5}}}},
        {{"add", 3, 0, true}, {"relu_gradient", 2, 1}},
        {{"sigmoid"}, {"multiply", 2, 1}, {"add", 3, 1}, {"tanh"}, {"subtract", 2, 1}},
        {{"tanh_gradient", 2},
         {"subtract", 2, 0},
         {"square"},
         {"gelu"},
         {"add", 2, 1, true},
         {"multiply", 2, 0},
         {"sigmoid"},
         {"add", 2, 0}},
        {{"clip", 1, 0, false, {{"min", -0.5}, {"max", 0.7}}}, {"add", 2, 0}}};
    std::map<std::string, std::vector<CaseBeside>> cases;
    std::string name;
    for (const std::vector<FreeLink>& chain : chains) {
        for (const Shape& shape : {Shape{3, 5}, Shape{2, 3, 7, 31}}) {
            for (const bool ofBf16 : {false, true}) {
                CaseBeside one = freeChain(reference, shape, chain, ofBf16, name);
                cases[name].push_back(std::move(one));
            }
        }
    }
    return cases;
}

std::map<std::string, std::vector<CaseBeside>> equalCases(Oracle& reference) {
    std::map<std::string, std::vector<CaseBeside>> cases;
    std::string name;
    for (const First& first : equals()) {
        for (unsigned links = 0; links < (first.op == "linear" ? 8U : 1U); ++links) {
            CaseBeside few = joined(reference, first, links, 3, name);
            cases[name].push_back(std::move(few));
        }
    }
    constexpr int moreThanALaunchTakes = 19;
    for (const First& first : {equals()[0], equals()[1]}) {
        CaseBeside many = joined(reference, first, 1, moreThanALaunchTakes, name);
        cases[name].push_back(std::move(many));
    }
    return cases;
}

std::map<std::string, std::vector<CaseBeside>> chainCases(Oracle& reference) {
    std::map<std::string, std::vector<CaseBeside>> cases;
    std::string name;
    for (const First& first : firsts()) {
        for (unsigned links = 1; links < 8; ++links) {
            CaseBeside one = chainOf(reference, first, links, name).made();
            cases[name].push_back(std::move(one));
        }
    }
    return cases;
}

} // namespace weft::test
