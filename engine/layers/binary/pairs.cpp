// SPDX-License-Identifier: Apache-2.0
// The rows of functions/pairs.h that have a title; where
#include "functions/table.h"
#include "layers/binary/sum.h"

#include <fmt/format.h>

#include <cmath>

namespace weft::layers {

namespace {

constexpr const char* broadcasting =
    " Operands of equal shape, or broadcast as in numpy: after the batch, dims "
    "of size 1 are "
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

AttributeSpec numberAttribute(double defaultValue) {
    return {.name = "number",
            .defaultValue = defaultValue,
            .help = "Operand in place of the port that has no wire."};
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

ValueId subtractNumber(Lowering& lowering, const WithNumber& of) {
    return of.isFirst ? withNumber(lowering, "add_number", lowering.add("neg", {of.x}), of.number)
                      : withNumber(lowering, "add_number", of.x, -of.number);
}

ValueId multiplyByNumber(Lowering& lowering, const WithNumber& of) {
    return scaled(lowering, of.x, of.number);
}

ValueId divideByNumber(Lowering& lowering, const WithNumber& of) {
    if (of.isFirst) {
        return scaled(lowering, lowering.add("reciprocal", {of.x}), of.number);
    }
    if (of.number == 0) {
        lowering.refuse("divides by number 0; set another number, or wire port b", "a");
        return of.x;
    }
    return scaled(lowering, of.x, 1 / of.number);
}

ValueId powOfNumber(Lowering& lowering, const WithNumber& of) {
    if (!of.isFirst) {
        return lowering.add("power", {of.x}, {{"exponent", of.number}});
    }
    if (of.number <= 0) {
        lowering.refuse(fmt::format("raises number {} to powers; only a number above 0 has all "
                                    "powers",
                                    of.number),
                        "b");
        return of.x;
    }
    return lowering.add("exp", {scaled(lowering, of.x, std::log(of.number))});
}

ValueId computeWithNumber(Lowering& lowering, std::string_view name, const WithNumber& of) {
    if (name == "subtract") {
        return subtractNumber(lowering, of);
    }
    if (name == "multiply") {
        return multiplyByNumber(lowering, of);
    }
    if (name == "divide") {
        return divideByNumber(lowering, of);
    }
    if (name == "pow") {
        return powOfNumber(lowering, of);
    }
    if (of.isFirst && (name == "less" || name == "greater")) {
        name = name == "less" ? "greater" : "less";
    }
    return withNumber(lowering, fmt::format("{}_number", name), of.x, of.number);
}

void lowerPair(Lowering& lowering, const functions::PairInfo& info) {
    const bool hasA = lowering.has("a");
    const bool hasB = lowering.has("b");
    if (hasA && hasB) {
        lowering.output("y", lowering.add(info.name, {lowering.input("a"), lowering.input("b")}));
    } else if (!hasA && !hasB) {
        lowering.refuse("neither a nor b is wired; one of them may be a number", "a");
    } else {
        lowering.output("y", computeWithNumber(lowering, info.name,
                                               {lowering.input(hasA ? "a" : "b"),
                                                lowering.attributes().real("number"), !hasA}));
    }
}

std::vector<LayerSample> samplesOf(const functions::PairInfo& info) {
    std::vector<LayerSample> samples{{.inputs = {{4, 10}, {4, 10}}},
                                     {.inputs = {{2, 3, 5, 7}, {2, 3, 1, 1}}},
                                     {.inputs = {{3, 6}, {3, 4, 6}}}};
    if (info.takesNumber) {
        samples.push_back({.inputs = {{4, 10}}, .attributes = {{"number", 1.5}}});
    }
    for (LayerSample& sample : samples) {
        sample.positive = info.samplesArePositive;
    }
    return samples;
}

void addPair(LayerList& list, const functions::PairInfo& info) {
    const std::string orNumber = info.takesNumber ? "; without a wire, the attribute number" : "";
    list.add({.info = {.kind = std::string(info.name),
                       .title = std::string(info.title),
                       .category = "combine",
                       .help = std::string(info.help) + broadcasting,
                       .synonyms = synonymsOf(info),
                       .inputs = {{.name = "a",
                                   .help = std::string(info.a) + orNumber,
                                   .optional = info.takesNumber},
                                  {.name = "b",
                                   .help = std::string(info.b) + orNumber,
                                   .optional = info.takesNumber}},
                       .outputs = {{.name = "y",
                                    .help = info.isCondition ? "1 or 0, in the broadcast shape"
                                                             : "broadcast shape of a and b"}},
                       .attributes = info.takesNumber ? std::vector{numberAttribute(info.number)}
                                                      : std::vector<AttributeSpec>{},
                       .parameters = {}},
              .lower = [&info](Lowering& lowering) { lowerPair(lowering, info); },
              .samples = samplesOf(info)});
}

void lowerWhere(Lowering& lowering) {
    const ValueId condition = lowering.input("condition");
    const double number = lowering.attributes().real("number");
    if (!lowering.has("a") && !lowering.has("b")) {
        lowering.refuse("neither a nor b is wired; one of them may be a number", "a");
        return;
    }
    const ValueId kept =
        lowering.has("a") ? lowering.add("keep_where", {condition, lowering.input("a")})
                          : withNumber(lowering, "drop_number",
                                       withNumber(lowering, "equal_number", condition, 0), number);
    const ValueId other = lowering.has("b")
                              ? lowering.add("drop_where", {condition, lowering.input("b")})
                              : withNumber(lowering, "drop_number", condition, number);
    lowering.output("y", sumOf(lowering, kept, other));
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
                              .help = "value where the condition holds; without a wire, the "
                                      "attribute number",
                              .optional = true},
                             {.name = "b",
                              .help = "value elsewhere; without a wire, the attribute number",
                              .optional = true}},
                  .outputs = {{.name = "y", .help = "broadcast shape of the inputs"}},
                  .attributes = {numberAttribute(0)},
                  .parameters = {}},
         .lower = lowerWhere,
         .samples = {{.inputs = {{4, 10}, {4, 10}, {4, 10}}},
                     {.inputs = {{2, 1, 5, 7}, {2, 3, 5, 7}, {2, 3, 1, 1}}},
                     {.inputs = {{4, 10}, {4, 10}}, .attributes = {{"number", -2.0}}}}});
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
