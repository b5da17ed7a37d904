// SPDX-License-Identifier: Apache-2.0
// The layers of two operands: the rows of functions/pairs.h that have a title, where and not.
#include "functions/table.h"
#include "layers/binary/sum.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

namespace weft::layers {

namespace {

constexpr const char* broadcasting =
    " Operands of equal shape, or broadcast as in numpy: after the batch, dims of size 1 are "
    "repeated and missing first dims are added.";

std::vector<std::string> synonymsOf(const functions::PairInfo& info) {
    std::vector<std::string> synonyms;
    for (const std::string_view synonym : info.synonyms) {
        if (!synonym.empty()) {
            synonyms.emplace_back(synonym);
        }
    }
    return synonyms;
}

using Numbers = std::vector<double>;

AttributeSpec numberAttribute() {
    return {.name = "number",
            .defaultValue = Numbers{},
            .help =
                "Operand in place of the port that has no wire; empty: both ports need a wire."};
}

/// Returns the attribute `number`, which stands for the one port of a and b without a wire. Refuses
/// a number for no port or for both, and several numbers.
std::optional<double> numberFor(Lowering& lowering) {
    const Numbers numbers = lowering.attributes().reals("number");
    const bool hasA = lowering.has("a");
    if (!hasA && !lowering.has("b")) {
        lowering.refuse("neither port a nor port b has a wire; number replaces only one of them",
                        "a");
    } else if (hasA && lowering.has("b")) {
        if (!numbers.empty()) {
            lowering.refuse("both ports have a wire, so number has no use; clear it, or remove a "
                            "wire",
                            "b");
        }
    } else if (numbers.size() != 1) {
        const char* const port = hasA ? "b" : "a";
        lowering.refuse(fmt::format("number has {} numbers; port {} without a wire takes one",
                                    numbers.size(), port),
                        port);
    } else {
        return numbers.front();
    }
    return std::nullopt;
}

ValueId scaled(Lowering& lowering, ValueId x, double factor) {
    return lowering.add("scale", {x}, {{"factor", factor}});
}
ValueId withNumber(Lowering& lowering, const std::string& op, ValueId x, double number) {
    return lowering.add(op, {x}, {{"number", number}});
}

/// f(x, number), or f(number, x) if the number stands for port a.
struct WithNumber {
    ValueId x;
    double number;
    bool isFirst;
};

ValueId subtractNumber(Lowering& lowering, const WithNumber& operands) {
    return operands.isFirst ? withNumber(lowering, "add_number", lowering.add("neg", {operands.x}),
                                         operands.number)
                            : withNumber(lowering, "add_number", operands.x, -operands.number);
}

ValueId multiplyByNumber(Lowering& lowering, const WithNumber& operands) {
    return scaled(lowering, operands.x, operands.number);
}

ValueId divideByNumber(Lowering& lowering, const WithNumber& operands) {
    if (operands.isFirst) {
        return scaled(lowering, lowering.add("reciprocal", {operands.x}), operands.number);
    }
    if (operands.number == 0) {
        lowering.refuse("number is 0, and division by 0 has no result; set another number, or wire "
                        "port b",
                        "a");
        return operands.x;
    }
    return scaled(lowering, operands.x, 1 / operands.number);
}

ValueId powOfNumber(Lowering& lowering, const WithNumber& operands) {
    if (!operands.isFirst) {
        return lowering.add("power", {operands.x}, {{"exponent", operands.number}});
    }
    if (operands.number <= 0) {
        lowering.refuse(
            fmt::format("number is {}, as the base of powers; only a base above 0 has all "
                        "powers",
                        operands.number),
            "b");
        return operands.x;
    }
    return lowering.add("exp", {scaled(lowering, operands.x, std::log(operands.number))});
}

ValueId computeWithNumber(Lowering& lowering, std::string_view name, const WithNumber& operands) {
    if (name == "subtract") {
        return subtractNumber(lowering, operands);
    }
    if (name == "multiply") {
        return multiplyByNumber(lowering, operands);
    }
    if (name == "divide") {
        return divideByNumber(lowering, operands);
    }
    if (name == "pow") {
        return powOfNumber(lowering, operands);
    }
    if (operands.isFirst && (name == "less" || name == "greater")) {
        name = name == "less" ? "greater" : "less";
    }
    return withNumber(lowering, fmt::format("{}_number", name), operands.x, operands.number);
}

void lowerPair(Lowering& lowering, const functions::PairInfo& info) {
    const bool hasA = lowering.has("a");
    if (const std::optional<double> number =
            info.takesNumber ? numberFor(lowering) : std::nullopt) {
        lowering.output("y", computeWithNumber(lowering, info.name,
                                               {lowering.input(hasA ? "a" : "b"), *number, !hasA}));
    } else if (hasA && lowering.has("b")) {
        lowering.output("y", lowering.add(info.name, {lowering.input("a"), lowering.input("b")}));
    }
}

std::vector<LayerSample> samplesOf(const functions::PairInfo& info) {
    std::vector<LayerSample> samples{{.inputs = {{4, 10}, {4, 10}}},
                                     {.inputs = {{2, 3, 5, 7}, {2, 3, 1, 1}}},
                                     {.inputs = {{3, 6}, {3, 4, 6}}}};
    if (info.takesNumber) {
        samples.push_back({.inputs = {{4, 10}}, .attributes = {{"number", Numbers{1.5}}}});
    }
    for (LayerSample& sample : samples) {
        sample.positive = info.samplesArePositive;
    }
    return samples;
}

void addPair(LayerList& list, const functions::PairInfo& info) {
    const std::string orNumber = info.takesNumber ? "; without a wire, number stands for it" : "";
    const std::string replacement = info.takesNumber ? "number" : "";
    list.add({.info = {.kind = std::string(info.name),
                       .title = std::string(info.title),
                       .category = "combine",
                       .help = std::string(info.help) + broadcasting,
                       .synonyms = synonymsOf(info),
                       .inputs = {{.name = "a",
                                   .help = std::string(info.a) + orNumber,
                                   .optional = info.takesNumber,
                                   .replacedBy = replacement},
                                  {.name = "b",
                                   .help = std::string(info.b) + orNumber,
                                   .optional = info.takesNumber,
                                   .replacedBy = replacement}},
                       .outputs = {{.name = "y",
                                    .help = info.isCondition ? "1 or 0, in the broadcast shape"
                                                             : "broadcast shape of a and b"}},
                       .attributes = info.takesNumber ? std::vector{numberAttribute()}
                                                      : std::vector<AttributeSpec>{},
                       .parameters = {}},
              .lower = [&info](Lowering& lowering) { lowerPair(lowering, info); },
              .samples = samplesOf(info)});
}

void lowerWhere(Lowering& lowering) {
    const ValueId condition = lowering.input("condition");
    const std::optional<double> given = numberFor(lowering);
    if (!given && !(lowering.has("a") && lowering.has("b"))) {
        return;
    }
    const double number = given.value_or(0);
    const ValueId kept =
        lowering.has("a") ? lowering.add("keep_where", {condition, lowering.input("a")})
                          : withNumber(lowering, "drop_number",
                                       withNumber(lowering, "equal_number", condition, 0), number);
    const ValueId other = lowering.has("b")
                              ? lowering.add("drop_where", {condition, lowering.input("b")})
                              : withNumber(lowering, "drop_number", condition, number);
    lowering.output("y", broadcastSum(lowering, kept, other));
}

void addWhere(LayerList& list) {
    list.add(
        {.info = {.kind = "where",
                  .title = "Where",
                  .category = "combine",
                  .help = std::string("y = a where the condition is not 0, else b; no gradient "
                                      "flows to the condition. PyTorch: where and "
                                      "masked_fill; ONNX: Where.") +
                          broadcasting,
                  .synonyms = {"select", "masked_fill", "mask"},
                  .inputs = {{.name = "condition", .help = "0, or another number for true"},
                             {.name = "a",
                              .help =
                                  "value where the condition holds; without a wire, number stands "
                                  "for it",
                              .optional = true,
                              .replacedBy = "number"},
                             {.name = "b",
                              .help = "value elsewhere; without a wire, number stands for it",
                              .optional = true,
                              .replacedBy = "number"}},
                  .outputs = {{.name = "y", .help = "broadcast shape of the inputs"}},
                  .attributes = {numberAttribute()},
                  .parameters = {}},
         .lower = lowerWhere,
         .samples = {{.inputs = {{4, 10}, {4, 10}, {4, 10}}},
                     {.inputs = {{2, 1, 5, 7}, {2, 3, 5, 7}, {2, 3, 1, 1}}},
                     {.inputs = {{4, 10}, {4, 10}}, .attributes = {{"number", Numbers{-2.0}}}}}});
}

void addNot(LayerList& list) {
    list.add({.info = {.kind = "not",
                       .title = "Not",
                       .category = "combine",
                       .help = "y = 1 where x is 0, else 0; no gradient flows. PyTorch: "
                               "logical_not; ONNX: Not.",
                       .synonyms = {"logical not", "invert"},
                       .inputs = {{.name = "x", .help = "condition, any shape"}},
                       .outputs = {{.name = "y", .help = "1 or 0, shape of x"}},
                       .attributes = {},
                       .parameters = {}},
              .lower =
                  [](Lowering& lowering) {
                      lowering.output("y",
                                      withNumber(lowering, "equal_number", lowering.input("x"), 0));
                  },
              .samples = {{.inputs = {{4, 10}}}, {.inputs = {{2, 3, 5, 7}}}}});
}

} // namespace

void pairs(LayerList& list) {
    functions::Pairs::forEach([&]<class Row>(Row) {
        if constexpr (!Row::pair.title.empty()) {
            addPair(list, Row::pair);
        }
    });
    addWhere(list);
    addNot(list);
}

} // namespace weft::layers
